// A writer in a process of its own on the real engines, which ends itself by SIGKILL at the point that a test asks for:
// before or after the nth call of one of the functions by which it changes or asks the world.
import { systemClock } from '../../infra/clock.ts'
import { configSchema } from '../../infra/config-schema.ts'
import { openDatabase } from '../../infra/database/open.ts'
import { openEventLog } from '../../infra/event-log/open.ts'
import { makeLogger } from '../../infra/logger.ts'
import { openMetastore } from '../../infra/metastore/open.ts'
import { openMetrics } from '../../infra/metrics.ts'
import { openStore } from '../../infra/store/open.ts'
import { startWriter } from '../../ingest/writer/start.ts'
import { Failure } from '../../schemas/failures.ts'

export type CrashPoint = {
  readonly call:
    | 'savePosition'
    | 'insert events'
    | 'insert counts'
    | 'insert idempotency'
    | 'addLogs'
    | 'addColumns'
    | 'query'
    | 'kill'
  readonly when: 'before' | 'after'
  readonly nth: number
}

export type WriterProcessOptions = {
  readonly dataDir: string
  readonly storeUrl: string
  readonly password: string
  readonly crash?: CrashPoint
  readonly limits?: Partial<ReturnType<typeof configSchema.parse>['writer']>
  /** Event blocks that hold this text are refused for their data. */
  readonly refusedText?: string
  readonly isVerbose?: boolean
}

const options: WriterProcessOptions = JSON.parse(process.argv[2] ?? '{}')
let calls = 0

async function passing<T>(call: CrashPoint['call'], run: () => Promise<T>): Promise<T> {
  const { crash } = options
  if (crash?.call !== call) return await run()
  calls += 1
  const isNow = calls === crash.nth
  if (isNow && crash.when === 'before') process.kill(process.pid, 'SIGKILL')
  const result = await run()
  if (isNow) process.kill(process.pid, 'SIGKILL')
  return result
}

const clock = systemClock
const logger = makeLogger({ level: options.isVerbose ? 'info' : 'error', process: 'writer', clock })
const database = await openDatabase({ dataDir: options.dataDir })
const metastore = await openMetastore({ database, logger })
const store = await openStore({ url: options.storeUrl, password: options.password })
const eventLog = await openEventLog({
  dataDir: options.dataDir,
  maxBytes: 256 << 20,
  maxBlockBytes: 16 << 20,
  clock,
})

// Functions of the real ones with a crash point each; everything else as it is.
const watched = <T extends object>(real: T, changed: Partial<T>): T =>
  new Proxy(real, {
    get(target, name) {
      const replaced = Reflect.get(changed, name)
      if (replaced !== undefined) return replaced
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const writer = startWriter({
  eventLog: watched(eventLog, {
    savePosition: (partition, position) =>
      passing('savePosition', () => eventLog.savePosition(partition, position)),
  }),
  store: watched(store, {
    insertNative: (insert) =>
      passing(`insert ${insert.table}` as CrashPoint['call'], async () => {
        const { refusedText } = options
        if (insert.table === 'events' && refusedText !== undefined) {
          const layout = Buffer.from(insert.block).includes(refusedText)
          const isRejected = Buffer.from(insert.block).includes('store_refused')
          if (layout && !isRejected) throw new Failure('store.data')
        }
        await store.insertNative(insert)
      }),
    query: (query) => passing('query', () => store.query(query)),
    kill: (queryId) => passing('kill', () => store.kill(queryId)),
  }),
  metastore: watched(metastore, {
    addLogs: (logs) => passing('addLogs', () => metastore.addLogs(logs)),
    addColumns: (columns) => passing('addColumns', () => metastore.addColumns(columns)),
  }),
  clock,
  logger,
  metrics: openMetrics('writer'),
  limits: { ...configSchema.parse({}).writer, ...options.limits },
})
process.send?.('started')
process.once('SIGTERM', () => {
  const startedMs = clock.elapsedMs()
  void writer.stop().then(async () => {
    process.send?.({ stoppedMs: clock.elapsedMs() - startedMs })
    await eventLog.close()
    process.exit(0)
  })
})
