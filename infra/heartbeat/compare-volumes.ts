// Whether search, counters, reports and portal say the same, hour by hour. Pure.
import { HOUR_MS } from './read-counted.ts'
import type { PortalTold } from './read-portal-usage.ts'
import type { Amount, Hours } from './reported-hours.ts'

export type CountedHour = {
  readonly hour: number
  readonly counted: Amount
  /** Of these, in logs that no search shows any more. */
  readonly removed: Amount
  readonly reported: Amount
}

export type ToldVolumes = {
  /** `datastream received`. */
  readonly received: Hours
  readonly hours: readonly CountedHour[]
  readonly portal: PortalTold
  readonly nowMs: number
}

/** waiting: the hour, or what was stored in it, is younger than the last report. */
export type VolumeState = 'equal' | 'waiting' | 'differs'

export type VolumeRow = {
  readonly hour: number
  readonly received: Amount
  readonly counted: Amount
  readonly removed: Amount
  /** undefined: nobody can say. */
  readonly reported: Amount | undefined
  readonly portal: Amount | undefined
  readonly state: VolumeState
}

export type Compared = {
  readonly by: 'hour' | 'day'
  readonly rows: readonly VolumeRow[]
  readonly notes: readonly string[]
  /** Something differs, or could not be read. */
  readonly isBad: boolean
}

const NONE: Amount = { events: 0, bytes: 0 }
const DAY_HOURS = 24
/** So long after its end an hour of receipt may still get events. */
const SETTLED_MS = 600_000

export function compareVolumes(told: ToldVolumes, by: 'hour' | 'day'): Compared {
  const { portal } = told
  const known = new Map(told.hours.map((hour) => [hour.hour, hour]))
  const ofPortal = portal.kind === 'told' ? portal.hours : new Map<number, Amount>()
  const all = [...new Set([...known.keys(), ...told.received.keys(), ...ofPortal.keys()])]
  const hours = all.sort((a, b) => a - b).map((hour) => compareHour(hour, known.get(hour), told))
  const rows = by === 'hour' ? hours : sumDays(hours)
  const isBad = hours.some(({ state }) => state === 'differs') || portal.kind === 'unknown'
  return { by, rows, notes: notesOn(portal, hours), isBad }
}

function compareHour(hour: number, known: CountedHour | undefined, told: ToldVolumes): VolumeRow {
  const { portal } = told
  const { counted, removed, reported } = known ?? { counted: NONE, removed: NONE, reported: NONE }
  const received = told.received.get(hour) ?? NONE
  const row = {
    ...{ hour, received, counted, removed },
    reported: portal.kind === 'off' ? undefined : reported,
    portal: portal.kind === 'told' ? (portal.hours.get(hour) ?? NONE) : undefined,
  }
  const searched = add(received, removed)
  const same = [searched, row.reported, row.portal].every((it) => !it || isEqual(it, counted))
  const reachedMs = portal.kind === 'off' ? Number.POSITIVE_INFINITY : portal.reachedMs
  const endMs = (hour + 1) * HOUR_MS
  // The places are read one after the other, while events come in.
  const isOpen = endMs > told.nowMs - SETTLED_MS
  const isWaiting = isOpen || (endMs > reachedMs && isEqual(searched, counted))
  return { ...row, state: same ? 'equal' : isWaiting ? 'waiting' : 'differs' }
}

function sumDays(hours: readonly VolumeRow[]): VolumeRow[] {
  const days = new Map<number, VolumeRow>()
  for (const row of hours) {
    const day = Math.floor(row.hour / DAY_HOURS) * DAY_HOURS
    const before = days.get(day)
    days.set(day, before === undefined ? { ...row, hour: day } : sum(before, row))
  }
  return [...days.values()]
}

function sum(a: VolumeRow, b: VolumeRow): VolumeRow {
  const states = [a.state, b.state]
  const worst = states.includes('differs') ? 'differs' : 'waiting'
  return {
    hour: a.hour,
    received: add(a.received, b.received),
    counted: add(a.counted, b.counted),
    removed: add(a.removed, b.removed),
    reported: a.reported && b.reported && add(a.reported, b.reported),
    portal: a.portal && b.portal && add(a.portal, b.portal),
    state: a.state === b.state ? a.state : worst,
  }
}

function notesOn(portal: PortalTold, hours: readonly VolumeRow[]): string[] {
  const notes: string[] = []
  if (hours.some(({ removed }) => removed.events > 0))
    notes.push('removed: in logs that were taken out of the tree; no search shows them, they count')
  if (portal.kind === 'off') notes.push('portal: none is set up, nothing is reported')
  if (portal.kind === 'unknown') notes.push(`portal: cannot be read: ${portal.reason}`)
  if (portal.kind === 'told' && portal.hasOthers)
    notes.push('portal: what was reported under earlier licences is taken as it was acknowledged')
  if (hours.some(({ state }) => state === 'waiting'))
    notes.push('waiting: of this hour, or stored after the last report: the next one brings it')
  return notes
}

function add(a: Amount, b: Amount): Amount {
  return { events: a.events + b.events, bytes: a.bytes + b.bytes }
}

function isEqual(a: Amount, b: Amount): boolean {
  return a.events === b.events && a.bytes === b.bytes
}
