// Zones in the text of a date: offsets, and names that Java reads too. Seconds east of UTC.

import type { TimeZone } from '../../../schemas/time/time-zone.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'

const HOUR = 3600
/** Abbreviations mean what Java takes them for. */
const OFFSETS: ReadonlyMap<string, number> = new Map([
  ['Z', 0],
  ['UTC', 0],
  ['UT', 0],
  ['GMT', 0],
  ['WET', 0],
  ['WEST', HOUR],
  ['BST', HOUR],
  ['CET', HOUR],
  ['CEST', 2 * HOUR],
  ['EET', 2 * HOUR],
  ['EEST', 3 * HOUR],
  ['MSK', 3 * HOUR],
  ['IST', 5.5 * HOUR],
  ['JST', 9 * HOUR],
  ['AEST', 10 * HOUR],
  ['AEDT', 11 * HOUR],
  ['AST', -4 * HOUR],
  ['ADT', -3 * HOUR],
  ['EST', -5 * HOUR],
  ['EDT', -4 * HOUR],
  ['CST', -6 * HOUR],
  ['CDT', -5 * HOUR],
  ['MST', -7 * HOUR],
  ['MDT', -6 * HOUR],
  ['PST', -8 * HOUR],
  ['PDT', -7 * HOUR],
  ['AKST', -9 * HOUR],
  ['AKDT', -8 * HOUR],
  ['HST', -10 * HOUR],
])
const MAX_BYTES = 40

export class ZoneReader {
  /** Of the zone read last; NaN: it is `zone`. */
  offsetSeconds = 0
  zone: TimeZone | null = null

  /** Gives where the zone at `at` ends, -1: there is none. */
  read(bytes: Uint8Array, at: number, limit: number): number {
    this.zone = null
    const first = bytes[at]
    if (at >= limit || first === undefined) return -1
    if (first === 0x2b || first === 0x2d) return this.#readOffset(bytes, at, limit)
    let end = at
    while (end < limit && end - at <= MAX_BYTES && isNameByte(bytes[end] ?? 0)) end++
    if (end === at || end - at > MAX_BYTES) return -1
    const name = String.fromCharCode(...bytes.subarray(at, end))
    const upper = name.toUpperCase()
    const offset = OFFSETS.get(upper)
    if (offset !== undefined) {
      this.offsetSeconds = offset
      if ((upper === 'GMT' || upper === 'UTC') && (bytes[end] === 0x2b || bytes[end] === 0x2d)) {
        const after = this.#readOffset(bytes, end, limit)
        return after < 0 ? end : after
      }
      return end
    }
    if (!name.includes('/')) return -1
    try {
      this.zone = timeZone(name)
    } catch {
      return -1
    }
    this.offsetSeconds = Number.NaN
    return end
  }

  /** ±hh, ±hhmm, ±hh:mm. */
  #readOffset(bytes: Uint8Array, at: number, limit: number): number {
    const hours = twoDigits(bytes, at + 1, limit)
    if (hours < 0 || hours > 18) return -1
    const colon = bytes[at + 3] === 0x3a ? 1 : 0
    const minutes = twoDigits(bytes, at + 3 + colon, limit)
    const sign = bytes[at] === 0x2d ? -1 : 1
    if (minutes > 59) return -1
    this.offsetSeconds = sign * (hours * HOUR + Math.max(0, minutes) * 60)
    return minutes < 0 ? at + 3 : at + 5 + colon
  }
}

/** Letters, `/`, `_`. */
function isNameByte(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 47 || code === 95
}

/** -1: no two digits stand there. */
function twoDigits(bytes: Uint8Array, at: number, limit: number): number {
  if (at + 2 > limit) return -1
  const tens = (bytes[at] ?? 0) - 48
  const ones = (bytes[at + 1] ?? 0) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
}
