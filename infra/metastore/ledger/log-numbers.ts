// Numbers of logs are never given twice, also when the database is older than the store (restored
// from a backup, made anew): a new log must not get a number under which events of another lie, or
// who may see the one would see the other.
import { sql } from 'kysely'
import type { Damage } from '../../../schemas/keep/store-damage.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
import { retry } from '../../retry.ts'
import type { Store } from '../../store/port.ts'
import { nameDamageWithin } from './store-damage.ts'

const LIMIT_MS = 600_000
/** Shown of the numbers; the metric has the whole. */
const NAMED = 20

type Stored = { readonly logId: number; readonly events: number }

type Options = {
  readonly store: Store
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly signal: AbortSignal
}

/** To be called before any log is made. Resolves early when the signal aborts. Fails with store.*,
 *  database.*. */
export async function keepLogNumbers(options: Options): Promise<void> {
  try {
    await compare(options)
  } catch (error) {
    if (!options.signal.aborted) throw error
  }
}

async function compare({
  store,
  database,
  clock,
  logger,
  metrics,
  signal,
}: Options): Promise<void> {
  const waiting = { clock, limitMs: LIMIT_MS, maxDelayMs: 500, signal }
  const unknownEvents = metrics.gauge(
    'logeye_unknown_log_events',
    'Events in the store whose log is not in the database, at the start: only administrators see them',
  )
  unknownEvents.set(0)
  // The store first: a log is in the database before its first event is stored.
  const stored = await retry(() => readStored(store), waiting)
  const unknown = await retry(() => findUnknown(database, stored), waiting)
  if (unknown.length === 0) return
  const events = unknown.reduce((sum, it) => sum + it.events, 0)
  unknownEvents.set(events)
  const raisedTo = Math.max(...unknown.map((it) => it.logId)) + 1
  const damage: Damage = {
    ...{ id: clock.randomBytes(12).toString('hex'), kind: 'logs', foundMs: clock.nowMs() },
    ...{ policyId: 0, day: 0, logId: 0, partition: 0, events, bytes: 0, fromMs: null, toMs: null },
  }
  await retry(() => raiseSequence(database, raisedTo, damage), waiting)
  const numbers = unknown.map((it) => it.logId).sort((a, b) => a - b)
  logger.error('events in the store are of logs that the database does not know', {
    logs: numbers.length,
    numbers: numbers.slice(0, NAMED).join(','),
    events,
    advice: 'the database is older than the store: restore a newer logeye.db if there is one',
  })
}

async function readStored(store: Store): Promise<Stored[]> {
  const rows = await store.query<{ log_id: number; count: string }>({
    sql: 'SELECT log_id, sum(events) AS count FROM counts GROUP BY log_id',
  })
  return rows.map((row) => ({ logId: Number(row.log_id), events: Number(row.count) }))
}

async function findUnknown(database: Database, stored: readonly Stored[]): Promise<Stored[]> {
  const rows = await database.read.selectFrom('logs').select('id').execute()
  const known = new Set(rows.map((row) => row.id))
  return stored.filter(({ logId }) => !known.has(logId))
}

/** Names the damage when it is met first: a sequence that is high enough tells that it was named
 *  before, and perhaps accepted. */
async function raiseSequence(database: Database, least: number, damage: Damage): Promise<void> {
  await database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('sequences')
      .set({ next: sql<number>`${least}` })
      .where('name', '=', 'log')
      .where('next', '<', least)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await nameDamageWithin(transaction, damage)
  })
}
