// Times that are told from now (decision 4.11): `-2h`, `now-5m`, `-1d@d`, `@w`, `-1d@d+8h`,
// `-PT2H`. Their parts are applied from left to right: seconds, minutes and hours are lengths,
// longer units go by the wall clock of the zone, and `@` goes back to the beginning of a unit.
// Pure.
import { type LocalTime, localToUtcMs } from './local-time.ts'
import { parseTimeUnit, type TimeUnit, UNIT_LIST } from './time-unit.ts'
import type { TimeZone } from './time-zone.ts'
import { addMonths, daysSinceMonday, instantOf, localAt, MIDNIGHT } from './wall-clock.ts'

type Shift = {
  readonly kind: 'shift'
  readonly months: number
  readonly days: number
  readonly ms: number
}
type Snap = { readonly kind: 'snap'; readonly unit: TimeUnit }
export type RelativeTime = readonly (Shift | Snap)[]

export type RelativeReading =
  | { readonly kind: 'relative'; readonly time: RelativeTime }
  /** Meant as a relative time, but wrong. */
  | { readonly kind: 'fault'; readonly reason: string }
  /** No relative time: perhaps a date. */
  | { readonly kind: 'other' }

const MAX_CHARACTERS = 128
const MAX_COUNT_DIGITS = 6

const NOW = /now(?![\p{L}\p{N}_])/iuy
const SHIFT = /\s*([+-])\s*(\d+)\s*([a-z]+)/iy
const SNAP = /\s*@\s*([a-z]+)/iy
const DURATION =
  /\s*(?:([+-])\s*)?P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d{1,9})?)S)?)?(?![\p{L}\p{N}])/iuy
/** `2h`, `2 hours`: forwards or back is not said. */
const BARE = /^\d+\s*[a-z]+$/i

export function parseRelativeTime(given: string): RelativeReading {
  const text = given.trim()
  const hasNow = matchAt(NOW, text, 0) !== null
  if (!hasNow && !/^(?:[-+@]|P(?=\d|T\d))/i.test(text)) {
    return BARE.test(text)
      ? fault(`write -${text} for the time before now, +${text} for the time after it`)
      : { kind: 'other' }
  }
  if (text.length > MAX_CHARACTERS) return fault(`longer than ${MAX_CHARACTERS} characters`)
  const parts: (Shift | Snap)[] = []
  let at = hasNow ? 'now'.length : 0
  while (at < text.length) {
    const read = readPart(text, at, { isFirst: at === 0 })
    if (typeof read === 'string') return fault(read)
    parts.push(read.part)
    at = read.end
  }
  return { kind: 'relative', time: parts }
}

function fault(reason: string): RelativeReading {
  return { kind: 'fault', reason }
}

type Part = { readonly part: Shift | Snap; readonly end: number }

function readPart(text: string, at: number, { isFirst }: { isFirst: boolean }): Part | string {
  const snap = matchAt(SNAP, text, at)
  if (snap !== null) {
    const unit = parseTimeUnit(snap[1] ?? '')
    if (unit === undefined) return unknownUnit(snap[1] ?? '')
    return { part: { kind: 'snap', unit }, end: at + snap[0].length }
  }
  const shift = matchAt(SHIFT, text, at)
  if (shift !== null) {
    const [whole, sign, digits = '', word = ''] = shift
    const unit = parseTimeUnit(word)
    if (unit === undefined) return unknownUnit(word)
    if (digits.length > MAX_COUNT_DIGITS) return `${digits} is too large`
    const count = sign === '-' ? -Number(digits) : Number(digits)
    return { part: shiftOf(count, unit), end: at + whole.length }
  }
  const duration = matchAt(DURATION, text, at)
  // Without a sign it is a length: of the time before now.
  if (duration !== null && (isFirst || duration[1] !== undefined)) {
    const part = readDuration(duration.slice(2), duration[1] === '+' ? 1 : -1)
    return part === undefined ? 'a number is too large' : { part, end: at + duration[0].length }
  }
  const rest = text.slice(at).trim()
  return `'${rest}' is not understood: write -2h, now-5m or -1d@d, with the units ${UNIT_LIST}`
}

function unknownUnit(word: string): string {
  return `unknown unit '${word}'; units are ${UNIT_LIST}`
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

function shiftOf(count: number, unit: TimeUnit): Shift {
  const none = { kind: 'shift', months: 0, days: 0, ms: 0 } as const
  switch (unit) {
    case 'second':
      return { ...none, ms: count * SECOND_MS }
    case 'minute':
      return { ...none, ms: count * MINUTE_MS }
    case 'hour':
      return { ...none, ms: count * HOUR_MS }
    case 'day':
      return { ...none, days: count }
    case 'week':
      return { ...none, days: count * 7 }
    case 'month':
      return { ...none, months: count }
    case 'year':
      return { ...none, months: count * 12 }
  }
}

/** Months are added before days, and lengths last: the order of ISO 8601. */
function readDuration(texts: readonly (string | undefined)[], sign: 1 | -1): Shift | undefined {
  const counts = texts.map((text) => Number((text ?? '0').replace(',', '.')))
  if (counts.some((count) => count >= 10 ** MAX_COUNT_DIGITS)) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = counts
  const ms = hours * HOUR_MS + minutes * MINUTE_MS + Math.round(seconds * SECOND_MS)
  return {
    kind: 'shift',
    months: sign * (years * 12 + months),
    days: sign * (weeks * 7 + days),
    ms: sign * ms,
  }
}

/** Years 1 to 9999: what dates can hold, and far more than events have. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.UTC(9999, 11, 31)
const MAX_MONTHS = 120_000
const MAX_DAYS = 4_000_000

/** Epoch milliseconds. */
export function resolveRelativeTime(time: RelativeTime, nowMs: number, zone: TimeZone): number {
  let ms = nowMs
  for (const part of time) {
    const moved = part.kind === 'snap' ? snap(ms, part.unit, zone) : shift(ms, part, zone)
    ms = Math.min(Math.max(moved, FIRST_MS), LAST_MS)
  }
  return ms
}

function shift(fromMs: number, { months, days, ms }: Shift, zone: TimeZone): number {
  // Not through the wall clock and back without need: the second of two equal times would be lost.
  if (months === 0 && days === 0) return fromMs + ms
  const moved = addMonths(localAt(fromMs, zone), limit(months, MAX_MONTHS))
  return instantOf({ ...moved, day: moved.day + limit(days, MAX_DAYS) }, zone) + ms
}

function limit(count: number, most: number): number {
  return Math.min(Math.max(count, -most), most)
}

function snap(fromMs: number, unit: TimeUnit, zone: TimeZone): number {
  const now = localAt(fromMs, zone)
  switch (unit) {
    case 'second':
      return sameOffset({ ...now, millisecond: 0 }, fromMs, zone)
    case 'minute':
      return sameOffset({ ...now, second: 0, millisecond: 0 }, fromMs, zone)
    case 'hour':
      return sameOffset({ ...now, minute: 0, second: 0, millisecond: 0 }, fromMs, zone)
    case 'day':
      return instantOf({ ...now, ...MIDNIGHT }, zone)
    case 'week':
      return instantOf({ ...now, ...MIDNIGHT, day: now.day - daysSinceMonday(now) }, zone)
    case 'month':
      return instantOf({ ...now, ...MIDNIGHT, day: 1 }, zone)
    case 'year':
      return instantOf({ ...now, ...MIDNIGHT, month: 1, day: 1 }, zone)
  }
}

/** Of an hour that the clocks repeat: the one that `fromMs` lies in. */
function sameOffset(local: LocalTime, fromMs: number, zone: TimeZone): number {
  const offsetMs = zone.offsetMsAt(fromMs)
  const instantMs = localToUtcMs(local) - offsetMs
  return zone.offsetMsAt(instantMs) === offsetMs ? instantMs : instantOf(local, zone)
}
