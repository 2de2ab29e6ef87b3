// One look of the ledger: received = held + gone, for each unit and for the store as a whole.
// Batches arrive meanwhile, events first and their counters after them (writer/batch-storer.ts). So
// counters that are to show what is missing are read before the parts; counters that are to show
// what is too much are read when every batch of those parts is committed.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import { type Found, findUnitDamage, nothingFound } from './find-damage.ts'
import { type GoneSum, type UnitPlace, type UnitReader, unitKey, unitOfKey } from './unit-sums.ts'
import { readStates, type WriterStates, waitForBatches } from './wait-for-batches.ts'

const NO_UNIT = { policyId: 0, day: 0 }

export type Look = {
  readonly found: readonly Found[]
  readonly units: number
  /** Received. */
  readonly events: number
  /** Committed, by partition; of those that say it. */
  readonly totals: ReadonlyMap<number, number>
}

type LookDeps = {
  readonly reader: UnitReader
  readonly eventLog: Pick<EventLog, 'partitions' | 'position'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** From the call on: which units retention was at work on since. Nothing is said of them. */
  readonly watchRemovals?: () => Promise<{ since(): Promise<readonly UnitPlace[]> }>
}

export async function look(deps: LookDeps): Promise<Look> {
  const { reader } = deps
  const removals = await deps.watchRemovals?.()
  const committed = await readStates(deps)
  await reader.catchUp()
  const heldBefore = await reader.held()
  const isSettled = await waitForBatches(deps)
  await reader.catchUp()
  const { units, partitions } = await reader.received()
  const gone = await reader.gone()
  const heldAfter = await reader.held()
  const keysHeld = await reader.keysHeld()
  const removed = new Set((await removals?.since())?.map(unitKey))

  const found: Found[] = []
  const goneOfUnits = sumBy(gone, (one) => unitKey(one))
  let counterLoss = 0
  for (const key of new Set([...units.keys(), ...heldBefore.keys(), ...heldAfter.keys()])) {
    const wanted = (units.get(key) ?? 0) - (goneOfUnits.get(key) ?? 0)
    const missing = Math.max(0, wanted - (heldAfter.get(key) ?? 0))
    const tooMany = isSettled ? Math.max(0, (heldBefore.get(key) ?? 0) - wanted) : 0
    if ((missing === 0 && tooMany === 0) || removed.has(key)) continue
    const damage = await scan(deps, key, { missing, tooMany, gone })
    found.push(...damage)
    for (const one of damage) if (one.kind === 'counters') counterLoss += one.events
  }
  const uncounted = sumBy(
    gone.filter(({ policyId, day }) => policyId === 0 && day === 0),
    ({ partition }) => partition,
  )
  for (const [partition, { state }] of committed) {
    const { stored } = state
    if (stored === undefined) continue
    const counted = (partitions.get(partition)?.events ?? 0) + (uncounted.get(partition) ?? 0)
    // Counters that were lost alone are named with their units.
    const lost = stored.events - counted
    const beyond = Math.max(0, lost - counterLoss)
    counterLoss = Math.max(0, counterLoss - Math.max(0, lost))
    if (beyond > 0)
      found.push({
        ...nothingFound(NO_UNIT),
        kind: 'store',
        partition,
        events: beyond,
        toMs: stored.atMs,
      })
  }
  found.push(...lostKeys(committed, keysHeld, gone))
  return {
    found,
    units: units.size,
    events: [...units.values()].reduce((sum, events) => sum + events, 0),
    totals: totalsOf(committed),
  }
}

/** Which logs of one unit. The order of reading is that of the look. */
async function scan(
  deps: LookDeps,
  key: string,
  { missing, tooMany, gone }: { missing: number; tooMany: number; gone: readonly GoneSum[] },
): Promise<Found[]> {
  const { reader } = deps
  const unit = unitOfKey(key)
  const before = tooMany > 0 ? await reader.heldContent(unit) : undefined
  const isSettled = before !== undefined && (await waitForBatches(deps))
  await reader.catchUp()
  const received = await reader.countedContent(unit)
  const heldAfter = await reader.heldContent(unit)
  return findUnitDamage(unit, {
    heldBefore: isSettled ? before : undefined,
    received,
    heldAfter,
    gone: gone.filter((one) => unitKey(one) === key),
    missing,
    tooMany: isSettled ? tooMany : 0,
  })
}

function lostKeys(
  committed: WriterStates,
  held: ReadonlyMap<number, number>,
  gone: readonly GoneSum[],
): Found[] {
  const wanted = new Map<number, number>()
  let newest = 0
  for (const { state } of committed.values())
    for (const [day, rows] of state.stored?.keys ?? []) {
      wanted.set(day, (wanted.get(day) ?? 0) + rows)
      newest = Math.max(newest, day)
    }
  const accepted = sumBy(
    gone.filter(({ policyId, day }) => policyId === 0 && day > 0),
    ({ day }) => day,
  )
  return [...wanted].flatMap(([day, rows]): Found[] => {
    // A partition that has been quiet for days says of days that were dropped since.
    if (day < newest - 1) return []
    const lost = rows - (held.get(day) ?? 0) - (accepted.get(day) ?? 0)
    if (lost <= 0) return []
    return [{ ...nothingFound({ policyId: 0, day }), kind: 'keys', events: lost }]
  })
}

function totalsOf(states: WriterStates): ReadonlyMap<number, number> {
  return new Map(
    [...states].flatMap(([partition, { state }]) =>
      state.stored === undefined ? [] : [[partition, state.stored.events] as const],
    ),
  )
}

function sumBy<Key>(gone: readonly GoneSum[], keyOf: (one: GoneSum) => Key): Map<Key, number> {
  const sums = new Map<Key, number>()
  for (const one of gone) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + one.events)
  return sums
}
