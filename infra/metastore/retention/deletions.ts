// Rows of `deletions`: events that were deleted by a command (docs/decisions/0085).
//   hidden   no search finds them; the store still has them; at its end bounds and units are known
//   entered  the entries in `gone` may be written
//   removed  the store's table has them no more; files that held them may still be on the disk
//   done     nor the disk
import { z } from 'zod'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { DeletionRow } from '../../database/rows/retention-rows.ts'
import { takeIds } from '../counters.ts'

const STATES = ['hidden', 'entered', 'removed', 'done'] as const
export type DeletionState = (typeof STATES)[number]

const numberPairs = z.array(z.tuple([z.number(), z.number()]))

export type Deletion = {
  readonly number: number
  readonly entry: string
  readonly state: DeletionState
  readonly logId: number
  readonly log: string
  /** SQL over `events`. */
  readonly condition: string
  /** Partition of the event log, and the offset below which it deletes there. */
  readonly bounds: readonly (readonly [partition: number, offset: number])[]
  readonly units: readonly (readonly [policyId: number, day: number])[]
  readonly events: number
  readonly bytes: number
  readonly askedBy: string
  readonly askedMs: number
  readonly endedMs: number | undefined
}

/** From its commit on nothing finds the events, and results that were kept are gone: nobody can
 *  tell which hold some of them. */
export async function addDeletion(
  transaction: DatabaseTransaction,
  deletion: Pick<
    Deletion,
    'logId' | 'log' | 'condition' | 'events' | 'bytes' | 'askedBy' | 'askedMs'
  >,
  unique: string,
): Promise<Deletion> {
  const number = await takeIds(transaction, 'deletion', 1)
  const row: DeletionRow = {
    number,
    entry: `deletion-${number}-${unique}`,
    state: 'hidden',
    log_id: deletion.logId,
    log: deletion.log,
    condition: deletion.condition,
    bounds: '',
    units: '',
    events: deletion.events,
    bytes: deletion.bytes,
    asked_by: deletion.askedBy,
    asked_ms: deletion.askedMs,
    ended_ms: null,
  }
  await transaction.insertInto('deletions').values(row).execute()
  await transaction.deleteFrom('search_result_files').execute()
  await transaction.deleteFrom('search_results').execute()
  await transaction.updateTable('dashboard_results').set({ made_of: '', result: '' }).execute()
  return fromRow(row)
}

export async function changeDeletion(
  database: Database,
  { number }: Deletion,
  change: Partial<Pick<Deletion, 'state' | 'bounds' | 'units' | 'events' | 'bytes' | 'endedMs'>>,
  held: Fence,
  /** In the same transaction. */
  alsoDo?: (transaction: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  const { state, bounds, units, events, bytes, endedMs } = change
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await alsoDo?.(transaction)
    await transaction
      .updateTable('deletions')
      .set({
        ...(state === undefined ? {} : { state }),
        ...(bounds === undefined ? {} : { bounds: JSON.stringify(bounds) }),
        ...(units === undefined ? {} : { units: JSON.stringify(units) }),
        ...(events === undefined ? {} : { events }),
        ...(bytes === undefined ? {} : { bytes }),
        ...(endedMs === undefined ? {} : { ended_ms: endedMs }),
      })
      .where('number', '=', number)
      .execute()
  })
}

/** Not done, oldest first. */
export async function readOpenDeletions(db: Database['read']): Promise<readonly Deletion[]> {
  const all = db.selectFrom('deletions').selectAll()
  return (await all.where('state', '<>', 'done').orderBy('number').execute()).map(fromRow)
}

/** Whether the store may have events of the unit (policy, day of receipt) that are only hidden. */
export function isDeletingOf(
  deletions: readonly Deletion[],
  { policyId, day }: { readonly policyId: number; readonly day: number },
): boolean {
  return deletions.some(
    ({ state, units }) =>
      state === 'hidden' ||
      (state === 'entered' && units.some(([policy, date]) => policy === policyId && date === day)),
  )
}

/** Newest first. */
export async function readDeletions(
  db: Database['read'],
  limit: number,
): Promise<readonly Deletion[]> {
  const all = db.selectFrom('deletions').selectAll()
  return (await all.orderBy('number', 'desc').limit(limit).execute()).map(fromRow)
}

/** Conditions over `events` that are true for what nobody may find. */
export async function readHidden(db: Database['read']): Promise<readonly string[]> {
  const all = db.selectFrom('deletions').select('condition')
  const rows = await all.where('state', 'in', ['hidden', 'entered']).execute()
  return rows.map(({ condition }) => condition)
}

function fromRow(row: DeletionRow): Deletion {
  const state = STATES.find((it) => it === row.state)
  if (state === undefined) throw new Error(`a deletion of an unknown state: ${row.state}`)
  return {
    number: Number(row.number),
    entry: row.entry,
    state,
    logId: Number(row.log_id),
    log: row.log,
    condition: row.condition,
    bounds: pairsOf(row.bounds),
    units: pairsOf(row.units),
    events: Number(row.events),
    bytes: Number(row.bytes),
    askedBy: row.asked_by,
    askedMs: Number(row.asked_ms),
    endedMs: row.ended_ms === null ? undefined : Number(row.ended_ms),
  }
}

function pairsOf(text: string): [number, number][] {
  const parsed: unknown = text === '' ? [] : JSON.parse(text)
  return numberPairs.parse(parsed)
}
