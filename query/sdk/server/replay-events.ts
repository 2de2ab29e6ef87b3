// Events of System->rejected are taken in again, each at most once (decisions 3.10, 8.4). What goes
// out is marked before and after: the next call goes on where a crash stopped this one.
import type { Clock } from '../../../infra/clock.ts'
import {
  beginReplays,
  type EventPlace,
  endReplays,
  keyOfPlace,
  readReplays,
} from '../../../infra/metastore/ledger/replayed-events.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { logPathKey, REJECTED_LOG, SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import type { SdkAnswer } from '../../../schemas/sdk/commands.ts'
import { REST_SEPARATOR } from '../../../schemas/shown-columns.ts'

/** Declared here, done by the listener (ingest/listener/replay.ts). */
export type ReplayTarget = {
  readonly judge: (event: { bytes: Buffer; form: string }) => string | undefined
  readonly append: (events: readonly ReplayedEvent[]) => Promise<void>
}

type ReplayedEvent = {
  readonly accountId: number
  readonly accountVersion: number
  readonly hostName: string
  readonly bytes: Buffer
  readonly form: string
  readonly idempotencyKey: string
}

export type ReplayFilter = {
  readonly reason?: string | undefined
  /** Whose events they were. */
  readonly account?: string | undefined
  /** Of receipt, epoch milliseconds, half open. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly limit: number
  readonly isDryRun: boolean
}

export type ReplaySummary = Omit<SdkAnswer<'replayRejected'>, 'dryRun'>

export type ReplayRejected = (filter: ReplayFilter) => Promise<ReplaySummary>

type Place = { readonly partition: number; readonly offset: string; readonly index: number }

type Row = Place & {
  readonly host: string
  readonly rest: string
  readonly bytes: string
}

const PAGE_ROWS = 500
/** An event may be as large as a body, and each of its bytes comes as two. */
const PAGE_BYTES = 8 * 1024 * 1024
/** Below the day for which a key counts. */
const REPEATABLE_MS = 20 * 3_600_000
const QUERY_TIMEOUT_MS = 20_000

export function makeReplayRejected(deps: {
  store: Pick<Store, 'query'>
  metastore: OpenedMetastore
  clock: Clock
  target: ReplayTarget
}): ReplayRejected {
  const { store, metastore, clock, target } = deps
  const { database } = metastore

  return async (filter) => {
    const summary: ReplaySummary = {
      ...{ found: 0, replayed: 0, replayedBefore: 0, rejectedAgain: {}, undecided: 0, more: false },
    }
    const log = (await metastore.tree()).logsByPath.get(logPathKey([SYSTEM_FOLDER], REJECTED_LOG))
    if (log === undefined) return summary
    const accounts = await readAccounts()
    let after: Place | undefined
    while (summary.replayed < filter.limit) {
      const to = await findPage(log.id, filter, after)
      if (to === undefined) return summary
      const rows = await readPage(log.id, filter, { after, to })
      after = (await replayPage(rows, accounts, filter, summary)) ?? to
    }
    summary.more = (await findPage(log.id, filter, after)) !== undefined
    return summary
  }

  /** Gives the last row that was looked at, unless all were. */
  async function replayPage(
    rows: readonly Row[],
    accounts: ReadonlyMap<string, { id: number; version: number }>,
    filter: ReplayFilter,
    summary: ReplaySummary,
  ): Promise<Place | undefined> {
    const states = await readReplays(database, rows.map(placeOf))
    const events: ReplayedEvent[] = []
    const places: EventPlace[] = []
    const reject = (code: string) => {
      summary.rejectedAgain[code] = (summary.rejectedAgain[code] ?? 0) + 1
    }
    let last: Place | undefined
    for (const row of rows) {
      if (summary.replayed + events.length >= filter.limit) break
      last = row
      summary.found += 1
      const place = placeOf(row)
      const state = states.get(keyOfPlace(place))
      if (state?.isDone === true) {
        summary.replayedBefore += 1
        continue
      }
      if (state !== undefined && clock.nowMs() - state.begunMs > REPEATABLE_MS) {
        summary.undecided += 1
        continue
      }
      const [, reason = '', accountName = '', form = ''] = row.rest.split(REST_SEPARATOR)
      const account = accounts.get(accountName)
      const bytes = Buffer.from(row.bytes, 'hex')
      if (reason === 'unreadable_block') reject(reason)
      else if (account === undefined) reject('unknown_account')
      else {
        const code = target.judge({ bytes, form })
        if (code !== undefined) reject(code)
        else {
          const { id: accountId, version: accountVersion } = account
          const idempotencyKey = `replay ${keyOfPlace(place)}`
          const hostName = row.host
          events.push({ accountId, accountVersion, hostName, bytes, form, idempotencyKey })
          places.push(place)
        }
      }
    }
    if (!filter.isDryRun && events.length > 0) {
      await beginReplays(database, places, clock.nowMs())
      await target.append(events)
      await endReplays(database, places)
    }
    summary.replayed += events.length
    return last
  }

  /** The last row of the next page; undefined: there is none. */
  async function findPage(
    logId: number,
    filter: ReplayFilter,
    after: Place | undefined,
  ): Promise<Place | undefined> {
    const { where, params } = wanted(logId, filter, after)
    const rows = await store.query<Place & { readonly size: string }>({
      sql: `SELECT partition, toString(offset) AS offset, index, toString(length(raw)) AS size FROM events
        WHERE ${where} ORDER BY partition, events.offset, index LIMIT ${PAGE_ROWS}`,
      params,
      timeoutMs: QUERY_TIMEOUT_MS,
    })
    let bytes = 0
    const end = rows.findIndex(({ size }, at) => {
      bytes += Number(size)
      return at > 0 && bytes > PAGE_BYTES
    })
    return rows.at(end < 0 ? -1 : end - 1)
  }

  async function readPage(
    logId: number,
    filter: ReplayFilter,
    { after, to }: { after: Place | undefined; to: Place },
  ): Promise<Row[]> {
    const { where, params } = wanted(logId, filter, after)
    const end = { toPartition: to.partition, toOffset: to.offset, toIndex: to.index }
    return await store.query<Row>({
      sql: `SELECT partition, toString(offset) AS offset, index, host, rest, hex(raw) AS bytes FROM events
        WHERE ${where} AND (partition, events.offset, index) <= ({toPartition: Int32}, {toOffset: UInt64}, {toIndex: UInt32})
        ORDER BY partition, events.offset, index LIMIT ${PAGE_ROWS}`,
      params: { ...params, ...end },
      timeoutMs: QUERY_TIMEOUT_MS,
    })
  }

  async function readAccounts(): Promise<Map<string, { id: number; version: number }>> {
    const rows = await database.read
      .selectFrom('listener_accounts')
      .select(['id', 'name', 'version'])
      .where('removed_ms', 'is', null)
      .execute()
    return new Map(rows.map(({ id, name, version }) => [name, { id, version }]))
  }
}

/** Where there is no event log to send to. */
export const refuseReplay: ReplayRejected = () => {
  throw new Failure('request.invalid', { reason: 'this process cannot take events in' })
}

/** What stands behind `after`. */
function wanted(logId: number, filter: ReplayFilter, after: Place | undefined) {
  const { reason, account, fromMs = 0, toMs = 4_102_444_800_000 } = filter
  const values = `splitByChar('${REST_SEPARATOR}', rest)`
  const where = `log_id = {log: UInt32} AND received >= fromUnixTimestamp64Milli({from: Int64}) AND received < fromUnixTimestamp64Milli({to: Int64})
          AND (partition, events.offset, index) > ({partition: Int32}, {offset: UInt64}, {index: UInt32})
          ${reason === undefined ? '' : `AND ${values}[2] = {reason: String}`}
          ${account === undefined ? '' : `AND ${values}[3] = {account: String}`}`
  const params = {
    log: logId,
    from: String(fromMs),
    to: String(toMs),
    partition: after?.partition ?? -1,
    offset: after?.offset ?? '0',
    index: after?.index ?? 0,
    reason: reason ?? '',
    account: account ?? '',
  }
  return { where, params }
}

function placeOf({ partition, offset, index }: Row): EventPlace {
  return { partition, place: `${offset}-${index}` }
}
