// Retention over real engines: events of chosen days, jobs by a chosen clock that end at a chosen
// point, and what the ledger finds.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../infra/clock.ts'
import { type Fence, Lease } from '../../../infra/database/lease.ts'
import { changePolicy } from '../../../infra/metastore/policies/collection-policies.ts'
import { watchRemovals } from '../../../infra/metastore/retention/unit-removals.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import type { ArchiveDeps } from '../../../ingest/archive/archive-steps.ts'
import type { Found } from '../../../ingest/ledger/find-damage.ts'
import { look } from '../../../ingest/ledger/look.ts'
import { UnitReader } from '../../../ingest/ledger/unit-sums.ts'
import { runRetention } from '../../../ingest/retention/retention-job.ts'
import type { CollectionPolicy } from '../../../schemas/collection-policy.ts'
import { silentLogger } from '../database/query-database.ts'
import { TEST_DATE_MS, testClock } from '../run/test-clock.ts'
import { openSharedStore, type SharedStore } from '../store/shared-store.ts'
import { openWriterPlaceOn, type WriterPlace } from '../writer/writer-place.ts'
import { Ended, type EndPoint, endingAt } from './end-point.ts'

export const DAY_MS = 86_400_000
/** Noon of a day. */
export const NOW_MS = Math.floor(TEST_DATE_MS / DAY_MS) * DAY_MS + DAY_MS / 2

export type RetentionPlace<Engine extends SharedStore = SharedStore> = WriterPlace<Engine> & {
  /** With a key file, and objects of a few events. */
  readonly archive: ArchiveDeps
  /** For archives; made. */
  readonly folder: string
  /** Of day `age` before today, by noon; a message each. */
  send(age: number, messages: readonly string[], accountId?: number): Promise<void>
  setPolicy(id: number, change: Partial<CollectionPolicy>): Promise<void>
  /** False: it ended at the point. */
  run(work: (context: JobContext) => Promise<void>, options?: RunOptions): Promise<boolean>
  /** The job, without a key for evidence. */
  retain(context: JobContext): Promise<void>
  messages(): Promise<string[]>
  damage(): Promise<readonly Found[]>
  gone(): Promise<{ events: number; bytes: number }>
}

type RunOptions = { readonly nowMs?: number; readonly end?: EndPoint; readonly isFast?: boolean }

/** On the store that the worker's files share. */
export async function openRetentionPlace(): Promise<RetentionPlace> {
  return await openRetentionPlaceOn(openSharedStore)
}

/** For tests that kill the store: `startEmbeddedStore`. */
export async function openRetentionPlaceOn<Engine extends SharedStore>(
  startStore: () => Promise<Engine>,
): Promise<RetentionPlace<Engine>> {
  const place = await openWriterPlaceOn(startStore)
  const { database } = place.metastore
  const { store } = place.engine
  let leases = 0
  const takeLease = async (): Promise<Fence> => {
    leases += 1
    const lease = new Lease({ database, clock: testClock, name: `retention ${leases}` })
    const held = await lease.tryTake()
    if (held === undefined) throw new Error('the lease is not free')
    return held
  }
  const folder = join(place.dataDir, 'archive')
  mkdirSync(folder)
  const archive: ArchiveDeps = {
    keys: new SecretKeys(join(place.dataDir, 'keys'), testClock),
    spool: join(place.dataDir, 'archive-spool'),
    objectBytes: 1000,
  }
  return {
    ...place,
    folder,
    archive,
    retain: (context) =>
      runRetention(context, {
        ...{ eventLog: place.eventLog, archive },
        readDigestKey: async () => undefined,
      }),
    send: async (age, messages, accountId = 1) => {
      const receivedMs = NOW_MS - age * DAY_MS
      const events = messages.map((message) => ({
        message,
        log: accountId === 1 ? 'a' : `a${accountId}`,
      }))
      await place.append([{ accountId, receivedMs, events }])
    },
    setPolicy: async (id, change) => {
      const name = id === 1 ? 'Default' : `p${id}`
      await database.write((transaction) =>
        changePolicy(transaction, name, change, { nowMs: () => NOW_MS - DAY_MS }),
      )
    },
    run: async (work, { nowMs = NOW_MS, end, isFast = false } = {}) => {
      const { signal } = new AbortController()
      const ended = endingAt(end)
      const context = {
        metastore: place.metastore,
        database: ended.database(database),
        store: ended.store(store),
        clock: clockAt(nowMs, isFast),
        logger: silentLogger,
        held: await takeLease(),
        signal,
      }
      try {
        await work(context)
        return true
      } catch (error) {
        if (error instanceof Ended) return false
        throw error
      }
    },
    messages: async () => (await place.rows()).map(({ message }) => message).sort(),
    damage: async () => {
      const { signal } = new AbortController()
      const reader = new UnitReader(store, signal)
      const { eventLog } = place
      const watch = () => watchRemovals(database.read)
      const seen = await look({
        reader,
        eventLog,
        clock: testClock,
        signal,
        watchRemovals: watch,
      })
      return seen.found
    },
    gone: async () => {
      const [row] = await store.query<{ events: string; bytes: string }>({
        sql: 'SELECT sum(events) AS events, sum(bytes) AS bytes FROM gone FINAL',
      })
      return { events: Number(row?.events), bytes: Number(row?.bytes) }
    },
  }
}

function clockAt(nowMs: number, isFast: boolean): Clock {
  let passedMs = 0
  if (!isFast) return { ...testClock, nowMs: () => nowMs }
  return {
    ...testClock,
    nowMs: () => nowMs,
    elapsedMs: () => passedMs,
    sleep: async (ms) => {
      passedMs += ms
      await Promise.resolve()
    },
  }
}
