// The store over ClickHouse's HTTP interface by the official client: the same for the embedded
// engine's process and a server.
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { Failure, type FailureDetails } from '../../schemas/failures.ts'
import {
  CLUSTER_NAME,
  localName,
  onCluster,
  type StoreCluster,
  systemTable,
  withWordsOfAll,
} from '../../schemas/store/cluster.ts'
import { type Clock, systemClock } from '../clock.ts'
import { KEEP_ALIVE, makeAgent } from './connections.ts'
import { toFailure } from './errors.ts'
import { INSERT_SETTINGS } from './insert-settings.ts'
import { abortError, drain, piecesOf } from './pieces.ts'
import type { RowReading, Store, StoreCost, StoreQuery } from './port.ts'
import { readRows } from './row-stream.ts'
import { printSent, SENT_HEADER } from './sent-header.ts'
import {
  ANY_SERVERS,
  CLUSTER_LAW,
  CLUSTER_SETTINGS,
  clusterInsertSettings,
  SERVER_SETTINGS,
  type SettingValues,
} from './server-settings.ts'

export type StoreOptions = {
  /** http(s)://[user:password@]host:port[/database]. */
  readonly url: string
  readonly password?: string
  /** A ClickHouse server, not the embedded engine. */
  readonly isServer?: boolean
  /** Name of the cluster that the server stands in; absent: it stands alone. */
  readonly clusterName?: string
  readonly clock?: Clock
}

const DEFAULT_TIMEOUT_MS = 60_000
/** Beyond the server's own limit: the answer to a time-out has to arrive, too. */
const GRACE_MS = 5_000
const KILL_MS = 10_000
const KILL_PAUSE_MS = 25
const PING_MS = 1000
const CATCH_UP_MS = 20_000
/** A kill that is given up is not killed in turn. */
const KILL_ID = 'logeye-kill-'
const PACKING = 'zstd'
const PACKING_LEVEL = 3
/** As the writer's blocks are (ingest/writer/native/json-column.ts). */
const FLAT_JSON = { output_format_native_use_flattened_dynamic_and_json_serialization: 1 } as const

type Settings = Record<string, string | number>

export async function openStore(options: StoreOptions): Promise<Store> {
  return new ClickHouseStore(options)
}

class ClickHouseStore implements Store {
  readonly cluster: StoreCluster | undefined
  readonly #client: ClickHouseClient
  readonly #clock: Clock
  /** Under those of the call. */
  readonly #settings: SettingValues

  constructor({ url, password, isServer, clusterName, clock = systemClock }: StoreOptions) {
    this.cluster = clusterName === undefined ? undefined : clusterOf(clusterName, url)
    this.#clock = clock
    this.#settings = {
      ...(isServer || this.cluster ? SERVER_SETTINGS : {}),
      ...(this.cluster ? CLUSTER_SETTINGS : {}),
    }
    this.#client = createClient({
      url,
      ...(password === undefined ? {} : { password }),
      application: 'logeye',
      http_agent: makeAgent(url),
      keep_alive: KEEP_ALIVE,
      // Limits are ours, by call.
      request_timeout: 2_147_483_647,
      use_multipart_params_auto: true,
      compression: { request: false, response: false },
      // Its records hold statements and parameters.
      log: { level: ClickHouseLogLevel.OFF },
    })
  }

  async query<Row>(query: StoreQuery): Promise<Row[]> {
    const rows: Row[] = []
    for await (const batch of this.#rows<Row>(query, 'JSONEachRow')) rows.push(...batch)
    return rows
  }

  stream(query: StoreQuery, reading: RowReading = {}): AsyncIterable<unknown[][]> {
    const format = reading.rowsAre === 'json' ? 'TabSeparatedRaw' : 'JSONCompactEachRow'
    return this.#rows<unknown[]>(query, format, reading.texts === 'bytes' ? 'latin1' : 'utf8')
  }

  async measure<Row>(query: StoreQuery): Promise<StoreCost & { rows: Row[] }> {
    let measured: (StoreCost & { rows: Row[] }) | undefined
    await this.#limited(query, async (signal, queryId) => {
      const result = await this.#client.query({
        query: this.#sql(query),
        format: 'JSON',
        query_params: { ...query.params },
        query_id: queryId,
        abort_signal: signal,
        clickhouse_settings: {
          output_format_json_quote_64bit_integers: 1,
          ...this.#settingsOf(query),
        },
      })
      const { data, statistics } = await result.json<Row>()
      const { rows_read: rowsRead = 0, bytes_read: bytesRead = 0, elapsed = 0 } = statistics ?? {}
      measured = { rows: data, rowsRead, bytesRead, elapsedMs: elapsed * 1000 }
    })
    return measured ?? { rows: [], rowsRead: 0, bytesRead: 0, elapsedMs: 0 }
  }

  async command(query: StoreQuery): Promise<void> {
    await this.#limited(query, async (signal, queryId) => {
      await this.#client.command({
        query: this.#sql(query),
        query_params: { ...query.params },
        query_id: queryId,
        abort_signal: signal,
        http_headers: this.#sentNow(),
        clickhouse_settings: this.#settingsOf(query),
      })
    })
  }

  async insertNative(insert: Parameters<Store['insertNative']>[0]): Promise<void> {
    const columns = insert.columns.map((name) => `\`${name}\``).join(', ')
    const sent = this.#sentNow()
    insert.beforeSend?.()
    await this.#limited(insert, async (signal, queryId) => {
      const { stream } = await this.#client.exec({
        query: `INSERT INTO ${insert.table} (${columns}) FORMAT Native`,
        values: Readable.from(piecesOf(insert.block, insert.onSent), { objectMode: false }),
        query_id: queryId,
        abort_signal: signal,
        http_headers: {
          ...sent,
          'Content-Length': String(insert.block.byteLength),
          ...(insert.isPacked === true ? { 'Content-Encoding': PACKING } : {}),
        },
        clickhouse_settings: {
          ...INSERT_SETTINGS,
          ...this.#settingsOf(insert),
          ...(this.cluster ? clusterInsertSettings(insert.queryId) : {}),
        },
      })
      await drain(stream, signal)
    })
  }

  async *readPacked(query: StoreQuery): AsyncGenerator<Uint8Array> {
    const limit = this.#limit(query)
    try {
      limit.check()
      const { stream, response_headers } = await this.#client.exec({
        query: `${this.#sql(query)}\nFORMAT Native`,
        query_params: { ...query.params },
        query_id: limit.queryId,
        abort_signal: limit.signal,
        http_headers: { 'Accept-Encoding': PACKING },
        decompress_response_stream: false,
        clickhouse_settings: {
          ...FLAT_JSON,
          ...this.#settingsOf(query),
          enable_http_compression: 1,
          http_zlib_compression_level: String(PACKING_LEVEL),
        },
      })
      if (response_headers['content-encoding'] !== PACKING)
        throw new Failure('store.failed', {}, new Error('the answer is not packed'))
      const cut = () => void stream.destroy(abortError())
      limit.signal.addEventListener('abort', cut, { once: true })
      if (limit.signal.aborted) cut()
      try {
        yield* stream
        limit.succeeded()
      } finally {
        limit.signal.removeEventListener('abort', cut)
        stream.destroy()
      }
    } catch (error) {
      throw limit.failureOf(error)
    } finally {
      limit.end()
    }
  }

  async kill(queryId: string): Promise<void> {
    const startedMs = this.#clock.elapsedMs()
    do {
      // On a cluster a kill goes through Keeper: only where there is something to end.
      if (this.cluster === undefined || (await this.#isRunning(queryId)))
        await this.command({
          sql: `KILL QUERY${onCluster(this.cluster)} WHERE ${this.#isOf()} ASYNC`,
          ...this.#killing(queryId),
        })
      if (!(await this.#isRunning(queryId))) return
      await this.#clock.sleep(KILL_PAUSE_MS)
    } while (this.#clock.elapsedMs() - startedMs < KILL_MS)
    throw new Failure('store.unavailable')
  }

  async #isRunning(queryId: string): Promise<boolean> {
    const processes = systemTable('processes', this.cluster)
    const [left] = await this.query<{ count: number | string }>({
      sql: `SELECT count() AS count FROM ${processes} WHERE ${this.#isOf()}`,
      settings: { priority: 1, ...(this.cluster ? ANY_SERVERS : {}) },
      ...this.#killing(queryId),
    })
    return Number(left?.count) !== 0
  }

  /** The embedded engine knows our id as the query's comment only; a shard knows it as that of the
   *  query that its own one is of. */
  #isOf(): string {
    return this.cluster === undefined
      ? "query_id = {id:String} OR Settings['log_comment'] = {id:String}"
      : 'initial_query_id = {id:String}'
  }

  #killing(queryId: string) {
    const killId = KILL_ID + this.#clock.randomBytes(8).toString('hex')
    return { params: { id: queryId }, queryId: killId, timeoutMs: KILL_MS }
  }

  async catchUp(table: string): Promise<void> {
    if (this.cluster === undefined) return
    const local = `\`${this.cluster.database}\`.${localName(table, this.cluster)}`
    const sql = `SYSTEM SYNC REPLICA${onCluster(this.cluster)} ${local} LIGHTWEIGHT`
    await this.command({ sql, timeoutMs: CATCH_UP_MS })
  }

  async ping(): Promise<boolean> {
    const abort_signal = AbortSignal.timeout(PING_MS)
    const { success } = await this.#client.ping({ select: false, abort_signal })
    return success
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  async *#rows<Row>(
    query: StoreQuery,
    format: 'JSONEachRow' | 'JSONCompactEachRow' | 'TabSeparatedRaw',
    encoding: 'utf8' | 'latin1' = 'utf8',
  ) {
    const limit = this.#limit(query)
    try {
      limit.check()
      const result = await this.#client.query({
        query: this.#sql(query),
        format,
        query_params: { ...query.params },
        query_id: limit.queryId,
        abort_signal: limit.signal,
        clickhouse_settings: {
          output_format_json_quote_64bit_integers: 1,
          ...this.#settingsOf(query),
        },
      })
      const answer: unknown = Reflect.get(result, '_stream')
      if (!(answer instanceof Readable)) throw new TypeError('the client has no answer stream')
      const cut = () => void answer.destroy(abortError())
      limit.signal.addEventListener('abort', cut, { once: true })
      if (limit.signal.aborted) cut()
      const tag = result.response_headers['x-clickhouse-exception-tag']
      try {
        yield* readRows<Row>(answer, typeof tag === 'string' ? tag : '', encoding)
        limit.succeeded()
      } finally {
        limit.signal.removeEventListener('abort', cut)
        answer.destroy()
      }
    } catch (error) {
      throw limit.failureOf(error)
    } finally {
      limit.end()
    }
  }

  #sql({ sql }: Pick<StoreQuery, 'sql'>): string {
    return withWordsOfAll(sql, this.cluster)
  }

  #settingsOf(query: Limited): Settings {
    const timeoutMs = query.timeoutMs ?? DEFAULT_TIMEOUT_MS
    return {
      cancel_http_readonly_queries_on_client_close: 1,
      ...this.#settings,
      ...query.settings,
      ...(this.cluster ? CLUSTER_LAW : {}),
      max_execution_time: timeoutMs / 1000,
    }
  }

  #sentNow(): Record<string, string> {
    return { [SENT_HEADER]: printSent(this.#clock) }
  }

  async #limited(
    query: Limited,
    run: (signal: AbortSignal, queryId: string) => Promise<void>,
  ): Promise<void> {
    const limit = this.#limit(query)
    try {
      limit.check()
      await run(limit.signal, limit.queryId)
      limit.succeeded()
    } catch (error) {
      throw limit.failureOf(error)
    } finally {
      limit.end()
    }
  }

  /** Ends a call with its caller's signal or its time; what was begun and not ended is killed at
   *  the server. */
  #limit(query: Limited) {
    const timeoutMs = query.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const queryId = query.queryId ?? this.#clock.randomBytes(16).toString('hex')
    const controller = new AbortController()
    const abort = () => controller.abort()
    const timer = setTimeout(abort, timeoutMs + GRACE_MS)
    query.signal?.addEventListener('abort', abort, { once: true })
    if (query.signal?.aborted) abort()
    let isOver = false
    return {
      queryId,
      signal: controller.signal,
      /** Before anything is sent: the client does not look at a signal that is aborted already. */
      check: () => {
        if (!controller.signal.aborted) return
        isOver = true
        throw abortError()
      },
      succeeded: () => {
        isOver = true
      },
      failureOf: (error: unknown): Failure => {
        const details: FailureDetails = {
          timeoutMs,
          maxRows: Number(query.settings?.max_result_rows ?? 0),
        }
        if (!controller.signal.aborted) {
          isOver = true
          return toFailure(error, details)
        }
        const isCallers = query.signal?.aborted === true
        if (isCallers) return new Failure('store.cancelled', details, error)
        return new Failure('store.unavailable', details, noAnswerError())
      },
      end: () => {
        clearTimeout(timer)
        query.signal?.removeEventListener('abort', abort)
        // Best effort: the connection is closed, too, and max_execution_time ends what both miss.
        if (!isOver && !queryId.startsWith(KILL_ID)) this.kill(queryId).catch(() => undefined)
      },
    }
  }
}

type Limited = {
  readonly settings?: Readonly<Settings>
  readonly queryId?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Fails with start.refused. */
function clusterOf(name: string, url: string): StoreCluster {
  const { pathname } = new URL(url)
  const database = decodeURIComponent(pathname.slice(1)) || 'default'
  if (CLUSTER_NAME.test(name) && CLUSTER_NAME.test(database)) return { name, database }
  const reason =
    'LOGEYE_STORE_URL: a cluster and its database have names of letters, digits, _, . and -'
  throw new Failure('start.refused', { reason })
}

function noAnswerError(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}
