// Rows of `thaws`: archived days that are searchable again for a time (docs/decisions/0108).
//   asked    nothing of it is in the store
//   loading  some of it may be there, and nobody finds it
//   thawed   all of it is there
//   ending   nobody finds it; it leaves the store, then the row goes
import { thawedUnit } from '../../../schemas/archive/thawed-unit.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { ThawRow } from '../../database/rows/archive-rows.ts'
import { appendEvidence } from '../../evidence/append-evidence.ts'
import { takeIds } from '../counters.ts'

const STATES = ['asked', 'loading', 'thawed', 'ending'] as const
export type ThawState = (typeof STATES)[number]

export type Thaw = {
  readonly number: number
  readonly archive: number
  readonly state: ThawState
  readonly events: number
  readonly untilMs: number
  readonly askedBy: string
  readonly askedMs: number
  readonly fault: string
}

/** One that is there already gets the new end. */
export async function askForThaw(
  transaction: DatabaseTransaction,
  given: Pick<Thaw, 'archive' | 'untilMs' | 'askedBy' | 'askedMs'>,
): Promise<Thaw> {
  const { archive, untilMs, askedBy, askedMs } = given
  const all = transaction.selectFrom('thaws').selectAll().where('archive', '=', archive)
  const there = await all.where('state', '<>', 'ending').executeTakeFirst()
  if (there !== undefined) {
    const changed = transaction.updateTable('thaws').set({ until_ms: untilMs, fault: '' })
    await changed.where('number', '=', there.number).execute()
    return { ...fromRow(there), untilMs }
  }
  const row: ThawRow = {
    ...{ number: await takeIds(transaction, 'thaw', 1), archive, state: 'asked', events: 0 },
    ...{ until_ms: untilMs, asked_by: askedBy, asked_ms: askedMs, fault: '' },
  }
  await transaction.insertInto('thaws').values(row).execute()
  return fromRow(row)
}

export async function changeThaw(
  database: Database,
  { number }: Pick<Thaw, 'number'>,
  change: Partial<Pick<Thaw, 'state' | 'events' | 'fault'>>,
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction.updateTable('thaws').set(change).where('number', '=', number).execute()
  })
}

/** False: its end was put off meanwhile. */
export async function beginThawEnd(
  database: Database,
  { number }: Pick<Thaw, 'number'>,
  {
    held,
    nowMs,
    isLost,
  }: { readonly held: Fence; readonly nowMs: number; readonly isLost: boolean },
): Promise<boolean> {
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const row = (await readThaws(transaction)).find((one) => one.number === number)
    if (row === undefined || (row.state !== 'ending' && nowMs < row.untilMs && !isLost))
      return false
    const changed = transaction.updateTable('thaws').set({ state: 'ending' })
    await changed.where('number', '=', number).execute()
    return true
  })
}

/** With what a deletion took: fewer events, of which nothing is lost. `eventsOf`: by the number
 *  under which the thawed day lies. */
export async function recountThaws(
  transaction: DatabaseTransaction,
  eventsOf: (unit: number) => number,
): Promise<void> {
  for (const { number, state, events } of await readThaws(transaction)) {
    const now = eventsOf(thawedUnit(number))
    if (state !== 'thawed' || now >= events) continue
    const changed = transaction.updateTable('thaws').set({ events: now })
    await changed.where('number', '=', number).execute()
  }
}

/** All of it is in the store: the evidence tells it in the same transaction. */
export async function showThaw(
  database: Database,
  { number }: Pick<Thaw, 'number'>,
  shown: { readonly archive: number; readonly day: number; readonly events: number },
  { held, nowMs }: { readonly held: Fence; readonly nowMs: number },
): Promise<void> {
  const { archive, day, events } = shown
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const change = { state: 'thawed', events, fault: '' }
    await transaction.updateTable('thaws').set(change).where('number', '=', number).execute()
    const content = { units: [{ policy: thawedUnit(number), day }], note: `archive ${archive}` }
    await appendEvidence(transaction, 'thaw', { content, atMs: nowMs })
  })
}

/** Nothing of it is in the store. */
export async function endThaw(
  database: Database,
  { number }: Pick<Thaw, 'number'>,
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction.deleteFrom('thaws').where('number', '=', number).execute()
  })
}

/** Oldest first. */
export async function readThaws(db: Database['read']): Promise<readonly Thaw[]> {
  const rows = await db.selectFrom('thaws').selectAll().orderBy('number').execute()
  return rows.map(fromRow)
}

/** Fails with archive.is_thawed while one is there. */
export async function refuseThawed(transaction: DatabaseTransaction, archive: number) {
  const there = transaction.selectFrom('thaws').select('number').where('archive', '=', archive)
  if ((await there.executeTakeFirst()) !== undefined)
    throw new Failure('archive.is_thawed', { number: archive })
}

/** SQL over `events`, true for what nobody may find. */
export async function readHiddenThaws(db: Database['read']): Promise<readonly string[]> {
  const all = db.selectFrom('thaws').select('number').where('state', '<>', 'thawed')
  const hidden = (await all.execute()).map(({ number }) => thawedUnit(Number(number)))
  return hidden.length === 0 ? [] : [`policy IN (${hidden.join(', ')})`]
}

function fromRow(row: ThawRow): Thaw {
  const state = STATES.find((it) => it === row.state)
  if (state === undefined) throw new Error(`a thaw of an unknown state: ${row.state}`)
  return {
    ...{ number: Number(row.number), archive: Number(row.archive), state },
    ...{ events: Number(row.events), untilMs: Number(row.until_ms), askedBy: row.asked_by },
    ...{ askedMs: Number(row.asked_ms), fault: row.fault },
  }
}
