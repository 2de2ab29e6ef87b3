// Puts digests of finished days into the evidence chain: once a day of receipt is over, again for
// what was received late, and after a change that the chain tells of (docs/decisions/0111).

import type { Bounds, EvidenceContent, EvidenceUnit } from '../../schemas/keep/evidence.ts'
import { requireFence } from '../database/lease.ts'
import type { EventLog } from '../event-log/port.ts'
import type { JobContext } from '../scheduler/job.ts'
import { readUnits } from '../store/read-units.ts'
import { appendEvidence } from './append-evidence.ts'
import { isLeaving } from './is-leaving.ts'
import { isTouchedSince, readUnitStates } from './read-evidence.ts'
import { differenceOf, readUnitDigest } from './row-digests.ts'
import type { UnitState, UnitStates } from './unit-states.ts'

const DAY_MS = 86_400_000
/** After the end of a day: most of what is on its way has come. */
const AFTER_MS = 600_000
const UNIT_MS = 600_000

export type SignDeps = {
  readonly eventLog: Pick<EventLog, 'partitions' | 'position'>
  readonly digestKey: Buffer
  /** Kept from one run to the next. */
  readonly states: UnitStates
  /** Rows of the unit that the chain covers are not those that it tells of. */
  readonly onDifference: (unit: EvidenceUnit) => void
}

type Day = EvidenceContent<'day'>

/** Gives how many entries were added. */
export async function signDays(context: JobContext, deps: SignDeps): Promise<number> {
  const { database, store, clock, signal, held } = context
  const states = await readUnitStates(database.read, deps.states)
  const lastDay = Math.floor((clock.nowMs() - AFTER_MS) / DAY_MS) - 1
  const units = (await readUnits(store, signal)).toSorted((a, b) => a.day - b.day)
  let added = 0
  for (const { policyId: policy, day, events } of units) {
    if (signal.aborted) break
    if (day > lastDay) continue
    const unit = { policy, day }
    const state = states.find(unit)
    if (state !== undefined && state.changedBy === undefined && events === rowsOf(state)) continue
    if (await isLeaving(database.read, unit)) continue
    const found = await readDay(context, deps, { unit, state })
    if (found === 'nothing') continue
    const isAdded = await database.write(async (transaction) => {
      await requireFence(transaction, held)
      // What was read is told only when nothing left the unit meanwhile.
      if (await isLeaving(transaction, unit)) return false
      if (await isTouchedSince(transaction, [unit], states.last)) return false
      if (found === 'different') return undefined
      await appendEvidence(transaction, 'day', { content: found, atMs: clock.nowMs() })
      return true
    })
    if (isAdded === undefined) deps.onDifference(unit)
    else if (isAdded) added += 1
  }
  return added
}

/** `different`: what the chain tells of is not there as it was, and must not be signed. */
async function readDay(
  { store, signal }: JobContext,
  { eventLog, digestKey }: SignDeps,
  { unit, state }: { unit: EvidenceUnit; state: UnitState | undefined },
): Promise<Day | 'nothing' | 'different'> {
  const options = { key: digestKey, timeoutMs: UNIT_MS, signal }
  // Before the rows are read: all from below is in the store.
  const bounds = await readBounds(eventLog)
  if (state !== undefined && state.changedBy === undefined) {
    const before = await readUnitDigest(store, unit, { ...options, bounds: state.bounds })
    if (differenceOf(state.logs, before.logs).length > 0) return 'different'
    if (before.laterRows === 0) return 'nothing'
  }
  const { logs } = await readUnitDigest(store, unit, { ...options, bounds })
  const rows = [...logs.values()]
  const signed = { ...unit, bounds, logs: rows }
  if (state === undefined) return rows.length === 0 ? 'nothing' : { ...signed, reason: 'finished' }
  if (state.changedBy !== undefined) return { ...signed, reason: 'changed', cause: state.changedBy }
  const isMore = rows.reduce((sum, one) => sum + one.rows, 0) > rowsOf(state)
  return isMore ? { ...signed, reason: 'late' } : 'nothing'
}

export async function readBounds(eventLog: SignDeps['eventLog']): Promise<Bounds> {
  const bounds: [number, number][] = []
  for (let partition = 0; partition < eventLog.partitions; partition += 1)
    bounds.push([partition, (await eventLog.position(partition, { isExact: true })).next])
  return bounds
}

function rowsOf({ logs }: UnitState): number {
  return [...logs.values()].reduce((sum, { rows }) => sum + rows, 0)
}
