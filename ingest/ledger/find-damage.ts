// Compares what was received with what is held and gone. Pure. The order of reading, which keeps a
// batch on its way from looking like damage, is the task of look.ts.
import type { Damage } from '../../schemas/keep/store-damage.ts'
import type { GoneSum, Sum, UnitContent, UnitPlace } from './unit-sums.ts'

const QUARTER_MS = 900_000

export type Found = Omit<Damage, 'id' | 'foundMs'>

type UnitReadings = {
  /** Read before `received`; undefined where it cannot be told whether all of it is counted by
   *  then. */
  readonly heldBefore: UnitContent | undefined
  readonly received: UnitContent
  /** Read after it. */
  readonly heldAfter: UnitContent
  /** The entries of this unit. */
  readonly gone: readonly GoneSum[]
  /** By the numbers of parts and counters alone. */
  readonly missing: number
  readonly tooMany: number
}

/** What of a unit that differs is missing, or not counted, by log. */
export function findUnitDamage(unit: UnitPlace, readings: UnitReadings): Found[] {
  const { heldBefore, received, heldAfter, gone } = readings
  const found: Found[] = []
  const logs = new Set([...received.keys(), ...heldAfter.keys(), ...(heldBefore?.keys() ?? [])])
  let missing = 0
  let tooMany = 0
  for (const logId of logs) {
    const goneOfLog = sumOf(gone.filter((one) => one.logId === logId))
    const wanted = total(received.get(logId)) - goneOfLog
    const lacking = wanted - total(heldAfter.get(logId))
    const common = { ...nothingFound(unit), logId }
    if (lacking > 0) {
      missing += lacking
      const { bytes, ...span } = spanOf(received.get(logId), heldAfter.get(logId))
      found.push({ ...common, kind: 'events', events: lacking, bytes, ...span })
    }
    const surplus = heldBefore === undefined ? 0 : total(heldBefore.get(logId)) - wanted
    if (surplus > 0) {
      tooMany += surplus
      const returned = Math.min(surplus, Math.max(0, goneOfLog))
      const { bytes, ...span } = spanOf(heldBefore?.get(logId), received.get(logId))
      if (returned > 0) found.push({ ...common, kind: 'returned', events: returned })
      if (surplus > returned)
        found.push({ ...common, kind: 'counters', events: surplus - returned, bytes, ...span })
    }
  }
  // What parts say of themselves and what they hold differ: no log can be named.
  if (readings.missing > missing)
    found.push({ ...nothingFound(unit), kind: 'events', events: readings.missing - missing })
  if (readings.tooMany > tooMany)
    found.push({ ...nothingFound(unit), kind: 'counters', events: readings.tooMany - tooMany })
  return found
}

export function nothingFound({ policyId, day }: UnitPlace): Omit<Found, 'kind' | 'events'> {
  return { policyId, day, logId: 0, partition: 0, bytes: 0, fromMs: null, toMs: null }
}

function total(quarters: ReadonlyMap<number, Sum> | undefined): number {
  let events = 0
  for (const sum of quarters?.values() ?? []) events += sum.events
  return events
}

function sumOf(gone: readonly GoneSum[]): number {
  return gone.reduce((sum, { events }) => sum + events, 0)
}

/** Span of the quarters of an hour in which `less` has less than `more`. */
function spanOf(
  more: ReadonlyMap<number, Sum> | undefined,
  less: ReadonlyMap<number, Sum> | undefined,
): Pick<Found, 'fromMs' | 'toMs' | 'bytes'> {
  let fromMs: number | null = null
  let toMs: number | null = null
  let bytes = 0
  for (const [quarter, sum] of more ?? []) {
    const other = less?.get(quarter)
    if ((other?.events ?? 0) >= sum.events) continue
    bytes += Math.max(0, sum.bytes - (other?.bytes ?? 0))
    const beginMs = quarter * QUARTER_MS
    fromMs = Math.min(fromMs ?? beginMs, beginMs)
    toMs = Math.max(toMs ?? 0, beginMs + QUARTER_MS)
  }
  return { fromMs, toMs, bytes }
}
