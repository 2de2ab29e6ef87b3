// Time zones without a package: offset of an IANA zone at an instant, and local wall time ->
// instant. Intl is asked only on a miss (microseconds a call); answers are kept per zone and
// quarter of an hour, bounded.

const SLOT_MS = 900_000
const DAY_MS = 86_400_000
const MAX_SLOTS = 8192
/** In a slot that holds a change of offset; such a slot is computed anew each time. */
const MIXED = Number.NaN

export type TimeZone = {
  readonly name: string
  /** Milliseconds east of UTC at this instant; 7,200,000 for Berlin in summer. */
  offsetMsAt(instantMs: number): number
  /**
   * Instant of a wall clock reading, given as if it were UTC (`Date.UTC(...)` of its fields).
   * A reading that does not exist gives the later instant, one that exists twice the earlier
   * (decisions 3.7, 4.3).
   */
  instantOfLocal(localMs: number): number
}

const zones = new Map<string, TimeZone>()
const MAX_ZONES = 512

/** True for a zone name that this runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    timeZone(name)
    return true
  } catch {
    return false
  }
}

export const UNKNOWN_ZONE = 'unknown time zone; write a name, for example Europe/Berlin or UTC'

const NAME = /^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/

/** A zone as a caller names it; letter case is put right where that is known, since the store knows
 *  one spelling only. Undefined for an unknown name and for a bare offset. */
export function findTimeZone(name: string): TimeZone | undefined {
  if (!isTimeZone(name)) return undefined
  const { timeZone: resolved } = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
  }).resolvedOptions()
  // Not the resolved name of an alias: the caller would see another zone than he asked for.
  const spelled = resolved.toLowerCase() === name.toLowerCase() ? resolved : name
  return NAME.test(spelled) ? timeZone(spelled) : undefined
}

/** One shared object a name. Throws RangeError for an unknown name. */
export function timeZone(name: string): TimeZone {
  const known = zones.get(name)
  if (known !== undefined) return known
  const made = isUtcName(name) ? makeUtc(name) : makeZone(name)
  if (zones.size >= MAX_ZONES) zones.clear()
  zones.set(name, made)
  return made
}

function isUtcName(name: string): boolean {
  return name === 'UTC' || name === 'Etc/UTC' || name === 'GMT' || name === 'Etc/GMT'
}

function makeUtc(name: string): TimeZone {
  return { name, offsetMsAt: () => 0, instantOfLocal: (localMs) => localMs }
}

function makeZone(name: string): TimeZone {
  const computeOffset = makeIntlOffset(name)
  const offsetMsAt = makeSlotCache(computeOffset)

  const computeLocal = (localMs: number): number => {
    // At most one change lies within a day on either side, so these are the two offsets that can
    // hold.
    const before = offsetMsAt(localMs - DAY_MS)
    const after = offsetMsAt(localMs + DAY_MS)
    if (before === after && offsetMsAt(localMs - before) === before) return before
    const isBeforeValid = offsetMsAt(localMs - before) === before
    const isAfterValid = offsetMsAt(localMs - after) === after
    // Twice: the earlier instant, the larger offset. Never: the later instant, the smaller offset.
    if (isBeforeValid === isAfterValid) {
      return isBeforeValid ? Math.max(before, after) : Math.min(before, after)
    }
    return isBeforeValid ? before : after
  }
  const localOffset = makeSlotCache(computeLocal)

  return { name, offsetMsAt, instantOfLocal: (localMs) => localMs - localOffset(localMs) }
}

/** Remembers `compute` for slots at whose two ends it is equal. */
function makeSlotCache(compute: (ms: number) => number): (ms: number) => number {
  const slots = new Map<number, number>()
  let lastSlot = Number.NaN
  let lastOffset = 0
  return (ms) => {
    const slot = Math.floor(ms / SLOT_MS)
    if (slot === lastSlot) return lastOffset
    let offset = slots.get(slot)
    if (offset === undefined) {
      const first = compute(slot * SLOT_MS)
      offset = first === compute((slot + 1) * SLOT_MS - 1) ? first : MIXED
      if (slots.size >= MAX_SLOTS) slots.clear()
      slots.set(slot, offset)
    }
    if (Number.isNaN(offset)) return compute(ms)
    lastSlot = slot
    lastOffset = offset
    return offset
  }
}

function makeIntlOffset(name: string): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (instantMs) => {
    const wholeSecondMs = Math.floor(instantMs / 1000) * 1000
    const fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
    let isBeforeChrist = false
    for (const { type, value } of format.formatToParts(wholeSecondMs)) {
      if (type === 'era') isBeforeChrist = value.startsWith('B')
      else if (type in fields) Object.assign(fields, { [type]: Number(value) })
    }
    const year = isBeforeChrist ? 1 - fields.year : fields.year
    const local = new Date(0)
    local.setUTCFullYear(year, fields.month - 1, fields.day)
    local.setUTCHours(fields.hour, fields.minute, fields.second)
    return local.getTime() - wholeSecondMs
  }
}
