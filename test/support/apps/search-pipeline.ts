// Everything behind a search, for real: embedded store, metastore, event log and writer; events go
// in as the listener would hand them on, so that rows are those of the product.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../infra/clock.ts'
import { configSchema } from '../../../infra/config-schema.ts'
import { Lease } from '../../../infra/database/lease.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { clearDamage, nameDamage } from '../../../infra/metastore/ledger/store-damage.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { makeAuditCopy } from '../../../ingest/audit/copy-audit.ts'
import { runRetention } from '../../../ingest/retention/retention-job.ts'
import { readArrived } from '../../../ingest/writer/arrived.ts'
import { startWriter } from '../../../ingest/writer/start.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import type { BlockRequest } from '../../../schemas/block/schema.ts'
import { openQueryDatabase, type QueryDatabase, silentLogger } from '../database/query-database.ts'
import { Ended, type EndPoint, endingAt } from '../retention/end-point.ts'
import { testClock } from '../run/test-clock.ts'
import { waitUntil } from '../run/wait-until.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../store/embedded-store.ts'
import { openSharedStore, type SharedStore } from '../store/shared-store.ts'

/** The bytes of an event, or what JSON makes of it. */
type SentEvent = object | string | Uint8Array
type SentAs = {
  /** Default: web-01. */
  readonly hostName?: string
  /** Default: now. */
  readonly receivedMs?: number
  /** Default: the first account, in its first version. */
  readonly accountId?: number
  readonly accountVersion?: number
  /** Of the events. */
  readonly form?: string
}
type SentRequest = SentAs & { readonly events: readonly SentEvent[] }

export type SearchPipeline<Engine extends SharedStore = SharedStore> = {
  readonly engine: Engine
  readonly db: QueryDatabase
  /** Of secrets, for the jobs. */
  readonly keyFile: string
  /** Resolves when all events are in the store. */
  ingest(events: readonly SentEvent[], sent?: SentAs): Promise<void>
  /** As `ingest` of each request, in this order, with one insert. */
  ingestAll(requests: readonly SentRequest[]): Promise<void>
  /** The audit log so far into the store, as a job of the scheduler does it. */
  copyAudit(): Promise<void>
  /** Retention and deletions, as a job of the scheduler. False: it ended at the point. */
  retain(end?: EndPoint): Promise<boolean>
  /** How far the writer has committed. */
  readArrived(): ReturnType<typeof readArrived>
  stop(): Promise<void>
}

type StoreOptions = NonNullable<Parameters<typeof startEmbeddedStore>[0]>

/** On the store that the worker shares. With `store`, on an embedded store that only this pipeline
 *  uses and that tests may kill. */
export function openSearchPipeline(options: {
  clock?: Clock
  store: StoreOptions
}): Promise<SearchPipeline<EmbeddedStore>>
export function openSearchPipeline(options?: { clock?: Clock }): Promise<SearchPipeline>
export async function openSearchPipeline({
  clock = testClock,
  store,
}: {
  clock?: Clock
  store?: StoreOptions
} = {}): Promise<SearchPipeline> {
  const [engine, db] = await Promise.all([
    store === undefined ? openSharedStore() : startEmbeddedStore(store),
    openQueryDatabase(clock),
  ])
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-log-'))
  const config = configSchema.parse({})
  const eventLog = await openEventLog({
    dataDir,
    maxBytes: 256 * 1024 * 1024,
    maxBlockBytes: config.eventLog.maxBlockBytes,
    clock,
  })
  const writer = startWriter({
    eventLog,
    store: engine.store,
    metastore: db.metastore,
    clock,
    logger: silentLogger,
    metrics: openMetrics('test'),
    limits: config.writer,
    nameDamage: (damage) => nameDamage(db.metastore.database, damage),
    clearDamage: (id) => clearDamage(db.metastore.database, id),
  })
  const auditCopy = makeAuditCopy(eventLog, clock)
  const keyFile = join(dataDir, 'keys')
  const archive = {
    keys: new SecretKeys(keyFile, clock),
    spool: join(dataDir, 'archive-spool'),
  }
  let sequence = 0
  const status = () => eventLog.status(0)
  const waitStored = () =>
    waitUntil(
      'the writer has stored all blocks',
      async () => {
        const { end, next } = await status()
        return next >= end
      },
      status,
    )
  const ingestAll = async (all: readonly SentRequest[]) => {
    sequence += 1
    const requests = all.map((sent) => toRequest(sent, clock.nowMs()))
    await eventLog.append(0, encodeBlock({ listener: 'test', sequence, requests }))
    await waitStored()
  }
  return {
    engine,
    db,
    keyFile,
    ingest: (events, sent = {}) => ingestAll([{ events, ...sent }]),
    ingestAll,
    copyAudit: async () => {
      const { metastore, database } = db
      const lease = new Lease({ database, clock, name: 'test audit' })
      const held = await lease.tryTake()
      if (held === undefined) throw new Error('another copies the audit log')
      const around = { clock, logger: silentLogger }
      const { signal } = new AbortController()
      await auditCopy.run({ database, metastore, store: engine.store, held, signal, ...around })
      await lease.release()
      await waitStored()
    },
    retain: async (end) => {
      const { metastore, database } = db
      const lease = new Lease({ database, clock, name: 'test retention' })
      const held = await lease.tryTake()
      if (held === undefined) throw new Error('another is at work')
      const ended = endingAt(end)
      const engines = { database: ended.database(database), store: ended.store(engine.store) }
      const { signal } = new AbortController()
      const context = { metastore, ...engines, clock, logger: silentLogger, held, signal }
      try {
        await runRetention(context, { eventLog, archive, readDigestKey: async () => undefined })
        return true
      } catch (error) {
        if (error instanceof Ended) return false
        throw error
      } finally {
        await lease.release()
      }
    },
    readArrived: () => readArrived(eventLog),
    stop: async () => {
      await writer.stop()
      await eventLog.close()
      await db.close()
      await engine.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function toRequest({ events, ...sent }: SentRequest, nowMs: number): BlockRequest {
  const bodies = events.map((event) =>
    typeof event === 'object' && !(event instanceof Uint8Array)
      ? Buffer.from(JSON.stringify(event))
      : Buffer.from(event),
  )
  const ranges = new Uint32Array(2 * bodies.length)
  let at = 0
  for (const [index, { length }] of bodies.entries()) {
    ranges[2 * index] = at
    at += length
    ranges[2 * index + 1] = at
  }
  return {
    accountId: sent.accountId ?? 1,
    accountVersion: sent.accountVersion ?? 1,
    receivedMs: sent.receivedMs ?? nowMs,
    hostName: sent.hostName ?? 'web-01',
    peer: '127.0.0.1',
    idempotencyKey: '',
    form: sent.form ?? 'logger',
    body: Buffer.concat(bodies),
    ranges,
    rejections: [],
  }
}
