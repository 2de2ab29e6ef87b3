// Rows of `unit_removals`: which units are being taken out of the store, and which were. While one
// is open, the writer waits with events of its unit, and the ledger judges nothing of it
// (docs/decisions/0084).
import type { Bounds } from '../../../schemas/keep/evidence.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import type { UnitRemovalRow } from '../../database/rows/retention-rows.ts'
import { appendEvidence } from '../../evidence/append-evidence.ts'
import { takeIds } from '../counters.ts'
import { readDeletions, readOpenDeletions } from './deletions.ts'

/** Of deletions: a look of the ledger takes a second. */
const MAX_WATCHED = 100

const CAUSES = ['age', 'size'] as const
export type RemovalCause = (typeof CAUSES)[number]

export type RemovedUnit = { readonly policyId: number; readonly day: number }

export type UnitRemoval = RemovedUnit & {
  readonly number: number
  readonly entry: string
  readonly cause: RemovalCause
  readonly isOpen: boolean
  readonly events: number
  readonly bytes: number
  readonly begunMs: number
  readonly endedMs: number | undefined
}

type Begun = RemovedUnit & { readonly cause: RemovalCause; readonly nowMs: number }

/** `unique`: hexadecimal, so that a database that was put back gives no name a second time. */
export async function beginRemoval(
  database: Database,
  { policyId, day, cause, nowMs }: Begun,
  { held, unique }: { readonly held: Fence; readonly unique: string },
): Promise<UnitRemoval> {
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const number = await takeIds(transaction, 'unitRemoval', 1)
    const row: UnitRemovalRow = {
      number,
      entry: `retention-${number}-${unique}`,
      policy_id: policyId,
      day,
      cause,
      state: 'open',
      events: 0,
      bytes: 0,
      begun_ms: nowMs,
      ended_ms: null,
    }
    await transaction.insertInto('unit_removals').values(row).execute()
    return fromRow(row)
  })
}

/** Nothing of it was done: the unit is as it was. */
export async function abandonRemoval(
  database: Database,
  { number }: UnitRemoval,
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction.deleteFrom('unit_removals').where('number', '=', number).execute()
  })
}

export async function endRemoval(
  database: Database,
  removal: UnitRemoval,
  ended: {
    readonly events: number
    readonly bytes: number
    readonly nowMs: number
    /** Rows of the unit that come from now on are from above these places. */
    readonly bounds: Bounds
  },
  held: Fence,
): Promise<void> {
  const { events, bytes, nowMs, bounds } = ended
  const { policyId: policy, day, cause, entry, number } = removal
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('unit_removals')
      .set({ state: 'done', events, bytes, ended_ms: nowMs })
      .where('number', '=', number)
      .execute()
    // What is archived of it from now on is not what these archives have.
    await transaction
      .updateTable('archives')
      .set({ dropped_ms: nowMs })
      .where('policy_id', '=', policy)
      .where('day', '=', day)
      .where('state', '=', 'done')
      .where('is_foreign', '=', 0)
      .where('dropped_ms', 'is', null)
      .execute()
    const content = { policy, day, cause, events, bounds, entry }
    await appendEvidence(transaction, 'retention', { content, atMs: nowMs })
  })
}

export async function readOpenRemovals(db: Database['read']): Promise<readonly UnitRemoval[]> {
  const all = db.selectFrom('unit_removals').selectAll()
  return (await all.where('state', '=', 'open').orderBy('number').execute()).map(fromRow)
}

export async function isBeingRemoved(
  db: Database['read'],
  units: readonly RemovedUnit[],
): Promise<boolean> {
  const open = await readOpenRemovals(db)
  return open.some(({ policyId, day }) =>
    units.some((unit) => unit.policyId === policyId && unit.day === day),
  )
}

/** Newest first. */
export async function readRemovals(
  db: Database['read'],
  limit: number,
): Promise<readonly UnitRemoval[]> {
  const all = db.selectFrom('unit_removals').selectAll()
  return (await all.orderBy('number', 'desc').limit(limit).execute()).map(fromRow)
}

/** Units that a removal was at work on at any time since `begin`. */
export async function watchRemovals(db: Database['read']): Promise<{
  /** Those of now among them. */
  since(): Promise<readonly RemovedUnit[]>
}> {
  const open = await readOpenRemovals(db)
  const newest = (await readRemovals(db, 1))[0]?.number ?? 0
  const deleting = await readOpenDeletions(db)
  return {
    since: async () => {
      const all = db.selectFrom('unit_removals').selectAll()
      const later = await all.where('number', '>', newest).execute()
      // A deletion that began since is open now, or over so soon that its units are the last ones.
      const numbers = new Set(deleting.map(({ number }) => number))
      const latest = await readDeletions(db, MAX_WATCHED)
      const deletions = latest.filter(
        ({ number, state }) => state !== 'done' || numbers.has(number),
      )
      const smaller = deletions.flatMap(({ units }) =>
        units.map(([policyId, day]) => ({ policyId, day })),
      )
      return [...open, ...later.map(fromRow), ...smaller]
    },
  }
}

function fromRow(row: UnitRemovalRow): UnitRemoval {
  const cause = CAUSES.find((it) => it === row.cause)
  if (cause === undefined) throw new Error(`a removal of an unknown cause: ${row.cause}`)
  return {
    number: Number(row.number),
    entry: row.entry,
    policyId: Number(row.policy_id),
    day: Number(row.day),
    cause,
    isOpen: row.state === 'open',
    events: Number(row.events),
    bytes: Number(row.bytes),
    begunMs: Number(row.begun_ms),
    endedMs: row.ended_ms === null ? undefined : Number(row.ended_ms),
  }
}
