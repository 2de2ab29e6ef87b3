// A writer on the real engines with a crash point: after or before the nth call of one of the
// functions by which it changes or asks the world.
import type { Clock } from '../../../infra/clock.ts'
import { type Config, configSchema } from '../../../infra/config-schema.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { clearDamage, nameDamage } from '../../../infra/metastore/ledger/store-damage.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { type Metrics, openMetrics } from '../../../infra/metrics.ts'
import { optional } from '../../../infra/optional.ts'
import { openStore } from '../../../infra/store/open.ts'
import { startWriter, type Writer, type WriterDeps } from '../../../ingest/writer/start.ts'
import { Failure } from '../../../schemas/failures.ts'
import { testClock } from '../run/test-clock.ts'

export type CrashPoint = {
  readonly call:
    | 'savePosition'
    | 'insert events'
    | 'insert counts'
    | 'insert idempotency'
    | 'addLogs'
    | 'addColumns'
    | 'addTypeWords'
    | 'query'
    | 'kill'
  readonly when: 'before' | 'after'
  readonly nth: number
  /** The process does not end itself: it sends `held`, goes on with the next message, and sends
   *  `passed` when the call has ended. */
  readonly isHeld?: boolean
}

export type TestWriterOptions = {
  readonly dataDir: string
  readonly storeUrl: string
  readonly password: string
  /** Absent: the embedded one in dataDir. */
  readonly eventLogUrl?: string
  /** Absent: the embedded one in dataDir. */
  readonly databaseUrl?: string
  readonly crash?: CrashPoint
  readonly limits?: Partial<Config['writer']>
  /** Event blocks that hold this text fail, unless it stands in a rejected event. */
  readonly refusedText?: string
  /** Larger blocks of events fail as store.memory. */
  readonly memoryBytes?: number
  readonly isBeingRemoved?: WriterDeps['isBeingRemoved']
  /** Of its waits, before it tries again. */
  readonly maxWaitMs?: number
  /** As what they fail; default store.data. */
  readonly refusedAs?: 'store.data' | 'store.failed'
}

export type TestWriter = {
  readonly writer: Writer
  readonly metrics: Metrics
  /** Log lines of warnings and errors. */
  readonly logged: readonly string[]
  /** Log lines of all levels from `info`. */
  readonly said: readonly string[]
  /** How often the writer has looked for blocks. */
  lookups(): number
  close(): Promise<void>
}

export async function openTestWriter(
  options: TestWriterOptions,
  crashNow: (crash: CrashPoint) => Promise<void> = async () => undefined,
  onPassed: () => void = () => undefined,
): Promise<TestWriter> {
  const { maxWaitMs = Number.POSITIVE_INFINITY } = options
  const clock: Clock = {
    ...testClock,
    sleep: (ms, signal) => testClock.sleep(Math.min(ms, maxWaitMs), signal),
  }
  const said: string[] = []
  const logged: string[] = []
  const logger = makeLogger({
    level: 'info',
    process: 'writer',
    clock,
    write: (line) => {
      said.push(line)
      if (!line.includes('"level":"info"')) logged.push(line)
    },
  })
  const database = await openDatabase({ url: options.databaseUrl, dataDir: options.dataDir })
  const metastore = await openMetastore({ database, logger })
  const store = await openStore({ url: options.storeUrl, password: options.password })
  const eventLog = await openEventLog({
    dataDir: options.dataDir,
    url: options.eventLogUrl,
    logger,
    maxBytes: 256 << 20,
    maxBlockBytes: 16 << 20,
    clock,
  })
  const metrics = openMetrics('writer')
  const passing = makePassing(options.crash, crashNow, onPassed)
  let lookups = 0
  const writer = startWriter({
    eventLog: watched(eventLog, {
      read: (...call) => {
        lookups += 1
        return eventLog.read(...call)
      },
      savePosition: (partition, position) =>
        passing('savePosition', () => eventLog.savePosition(partition, position)),
    }),
    store: watched(store, {
      insertNative: (insert) =>
        passing(`insert ${insert.table}`, async () => {
          if (isRefused(insert.block, options.refusedText))
            throw new Failure(options.refusedAs ?? 'store.data')
          if (insert.table === 'events' && insert.block.length > (options.memoryBytes ?? Infinity))
            throw new Failure('store.memory')
          await store.insertNative(insert)
        }),
      query: (query) => passing('query', () => store.query(query)),
      kill: (queryId) => passing('kill', () => store.kill(queryId)),
    }),
    metastore: watched(metastore, {
      addLogs: (logs) => passing('addLogs', () => metastore.addLogs(logs)),
      addColumns: (columns) => passing('addColumns', () => metastore.addColumns(columns)),
      addTypeWords: (found) => passing('addTypeWords', () => metastore.addTypeWords(found)),
    }),
    clock,
    logger,
    metrics,
    nameDamage: (damage) => nameDamage(database, damage),
    clearDamage: (id) => clearDamage(database, id),
    ...optional('isBeingRemoved', options.isBeingRemoved),
    limits: { ...configSchema.parse({}).writer, ...options.limits },
  })
  return {
    writer,
    metrics,
    logged,
    said,
    lookups: () => lookups,
    close: async () => {
      await writer.stop()
      await eventLog.close()
      await store.close()
      await metastore.close()
      await database.close()
    },
  }
}

function makePassing(
  crash: CrashPoint | undefined,
  crashNow: (crash: CrashPoint) => Promise<void>,
  onPassed: () => void,
): <T>(call: string, run: () => Promise<T>) => Promise<T> {
  let calls = 0
  return async (call, run) => {
    if (crash?.call !== call) return await run()
    calls += 1
    if (calls !== crash.nth) return await run()
    if (crash.when === 'before') await crashNow(crash)
    const result = await run().finally(() => {
      if (crash.when === 'before') onPassed()
    })
    if (crash.when === 'after') await crashNow(crash)
    return result
  }
}

function isRefused(block: Uint8Array, refusedText: string | undefined): boolean {
  if (refusedText === undefined) return false
  const bytes = Buffer.from(block)
  return bytes.includes(refusedText) && !bytes.includes('store_refused')
}

/** The real one with some functions in place of its own. */
function watched<T extends object>(real: T, changed: Partial<T>): T {
  return new Proxy(real, {
    get(target, name) {
      const replaced = Reflect.get(changed, name)
      if (replaced !== undefined) return replaced
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
