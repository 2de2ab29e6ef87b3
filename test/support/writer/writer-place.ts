// Everything a writer needs, for real: store, database with accounts of three policies,
// event log; blocks as the listener would append them; and what must be in the store when all is
// done.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Database } from '../../../infra/database/port.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import { makeDatabasePlace } from '../database/database-place.ts'
import { silentLogger } from '../database/query-database.ts'
import { makeRequest, type SentRequest } from '../ingest/sent-request.ts'
import { bundleProgram } from '../machine/bundle-program.ts'
import { testClock } from '../run/test-clock.ts'
import { waitUntil } from '../run/wait-until.ts'
import { openSharedStore, type SharedStore } from '../store/shared-store.ts'
import { openTestWriter, type TestWriter, type TestWriterOptions } from './test-writer.ts'

export const POLICIES = [1, 2, 3]

export type RunningWriter = {
  readonly child: ChildProcess
  /** The signal or code it ended with. */
  readonly ended: Promise<string | number | null>
}

export type WriterPlace<Engine extends SharedStore = SharedStore> = {
  readonly engine: Engine
  readonly eventLog: EventLog
  readonly metastore: OpenedMetastore
  readonly dataDir: string
  /** Undefined: the embedded one in dataDir. */
  readonly databaseUrl: string | undefined
  append(
    requests: readonly SentRequest[],
    options?: { listener?: string; sequence?: number },
  ): Promise<number>
  appendBytes(bytes: Uint8Array): Promise<number>
  /** In this process; to be closed by the caller. */
  openWriter(
    options?: Partial<TestWriterOptions>,
    crashNow?: () => Promise<void>,
  ): Promise<TestWriter>
  /** In this process, until all is stored. Gives the metrics' text. */
  storeAll(options?: Partial<TestWriterOptions>): Promise<string>
  /** In a process of its own. */
  startWriter(options?: Partial<TestWriterOptions>): Promise<RunningWriter>
  waitStored(): Promise<void>
  rows(where?: string): Promise<StoredRow[]>
  /** Differences between counters and events, both ways; must be empty. */
  countDifferences(): Promise<unknown[]>
  /** Empties the tables. */
  clear(): Promise<void>
  close(): Promise<void>
}

export type StoredRow = {
  offset: string
  index: number
  log_id: number
  policy: number
  message: string
  raw: string
  columns: Record<string, unknown>
}

type PlaceOptions = { maxLogBytes?: number; eventLogUrl?: string }

/** On the store that the worker's files share. */
export async function openWriterPlace(options: PlaceOptions = {}): Promise<WriterPlace> {
  return await openWriterPlaceOn(openSharedStore, options)
}

/** For tests that kill the store: `startEmbeddedStore`. */
export async function openWriterPlaceOn<Engine extends SharedStore>(
  startStore: () => Promise<Engine>,
  options: PlaceOptions = {},
): Promise<WriterPlace<Engine>> {
  const databasePlace = await makeDatabasePlace()
  const { dataDir, url: databaseUrl } = databasePlace
  const engine = await startStore()
  const database = await databasePlace.open()
  await makeAccounts(database)
  const metastore = await openMetastore({ database, logger: silentLogger })
  const { eventLogUrl } = options
  const eventLog = await openEventLog({
    dataDir,
    url: eventLogUrl,
    logger: silentLogger,
    maxBytes: options.maxLogBytes ?? 256 << 20,
    maxBlockBytes: 16 << 20,
    clock: testClock,
  })
  const children = new Set<ChildProcess>()
  let sequence = 0
  const url = {
    ...(eventLogUrl === undefined ? {} : { eventLogUrl }),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  }
  const place = { dataDir, storeUrl: engine.url, password: engine.password, ...url }
  const openWriter: WriterPlace['openWriter'] = (options = {}, crashNow) =>
    openTestWriter({ ...place, ...options }, crashNow)
  return {
    engine,
    eventLog,
    metastore,
    dataDir,
    databaseUrl,
    append: async (requests, options = {}) => {
      sequence += 1
      const block = {
        listener: options.listener ?? 'listener',
        sequence: options.sequence ?? sequence,
        requests: requests.map(makeRequest),
      }
      return await eventLog.append(0, encodeBlock(block))
    },
    appendBytes: (bytes) => eventLog.append(0, bytes),
    openWriter,
    storeAll: async (options) => {
      const writer = await openWriter(options)
      try {
        await waitStored(eventLog)
        // The place is seen a moment before the writer counts what it holds.
        await writer.writer.stop()
        return await writer.metrics.text()
      } finally {
        await writer.close()
      }
    },
    startWriter: async (options = {}) => {
      const writer = await forkWriter({ ...place, ...options })
      children.add(writer.child)
      await Promise.race([once(writer.child, 'message'), writer.ended])
      return writer
    },
    waitStored: () => waitStored(eventLog),
    clear: async () => {
      for (const table of ['events', 'counts', 'idempotency'])
        await engine.store.command({ sql: `TRUNCATE TABLE ${table}` })
    },
    rows: async (where = '1') =>
      await engine.store.query<StoredRow>({
        sql: `SELECT offset, \`index\`, log_id, policy, message, raw, columns FROM events WHERE ${where} ORDER BY offset, \`index\``,
      }),
    countDifferences: () => countDifferences(engine),
    close: async () => {
      for (const child of children) child.kill('SIGKILL')
      await eventLog.close()
      await metastore.close()
      await engine.stop()
      await databasePlace.remove()
    },
  }
}

async function waitStored(eventLog: EventLog): Promise<void> {
  const isStored = async () => {
    const { end, next } = await eventLog.status(0)
    return next >= end
  }
  await waitUntil('all blocks are stored', isStored, () => eventLog.status(0))
}

/** Accounts 1, 2, 3 with policies 1, 2, 3; each splits by `log`. */
async function makeAccounts(database: Database): Promise<void> {
  const opened = await openMetastore({ database, logger: silentLogger })
  await opened.close()
  await database.write(async (transaction) => {
    for (const id of POLICIES.slice(1)) {
      const name = `p${id}`
      await transaction
        .insertInto('collection_policies')
        .values({ id, name, name_folded: name, description: '', settings: '{}', removed_ms: null })
        .execute()
    }
    for (const policyId of POLICIES) {
      await addAccount(transaction, testClock, `account ${policyId}`, {
        policyId,
        splitColumns: [{ key: 'log', isHost: false }],
      })
    }
  })
}

async function forkWriter(options: TestWriterOptions): Promise<RunningWriter> {
  const file = await bundleProgram('test/support/writer/writer-process.ts')
  const child = fork(file, [JSON.stringify(options)], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code)
  return { child, ended }
}

async function countDifferences({ store }: SharedStore): Promise<unknown[]> {
  const ofEvents = `SELECT toStartOfFifteenMinutes(toDateTime(received, 'UTC')) AS quarter,
    toStartOfFifteenMinutes(toDateTime(timestamp, 'UTC')) AS event_quarter, policy, log_id, host, source, partition,
    count() AS events, sum(size) AS bytes FROM events GROUP BY ALL`
  const ofCounts = `SELECT quarter, event_quarter, policy, log_id, host, source, partition,
    sum(events) AS events, sum(bytes) AS bytes FROM counts GROUP BY quarter, event_quarter, policy, log_id, host, source, partition`
  const missing = await store.query({ sql: `${ofEvents} EXCEPT ${ofCounts}` })
  const surplus = await store.query({ sql: `${ofCounts} EXCEPT ${ofEvents}` })
  return [...missing, ...surplus]
}
