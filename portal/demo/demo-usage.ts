// Hours of usage as a business makes them: more in the day than at night, less at the weekend,
// growing, and never twice the same. Of one seed always the same. Pure.
const HOURS_OF_WEEK = 168
const BYTES_OF_EVENT = 430

export type UsageShape = {
  readonly seed: number
  /** Of an average hour at the begin. */
  readonly bytesPerHour: number
  /** Of a week, as 0.015. */
  readonly weeklyGrowth: number
  /** Of a day in the weekend beside one of the week, 0 to 1. */
  readonly weekend: number
}

/** `hour`: since 1970; `since`: hours since the begin of the history. */
export function usageOfHour(shape: UsageShape, hour: number, since: number) {
  const { seed, bytesPerHour, weeklyGrowth, weekend } = shape
  const ofDay = hour % 24
  // 1970-01-01 was a Thursday.
  const weekday = (Math.floor(hour / 24) + 3) % 7
  const busy = 1 + 0.65 * Math.sin(((ofDay - 7) / 24) * 2 * Math.PI)
  const growth = (1 + weeklyGrowth) ** (since / HOURS_OF_WEEK)
  const noise = 0.9 + 0.2 * randomOf(seed, since)
  const rest = weekday >= 5 ? weekend : 1
  const bytes = Math.round(bytesPerHour * busy * growth * noise * rest)
  return { bytes, events: Math.round(bytes / BYTES_OF_EVENT) }
}

/** 0 to 1, of the seed and a place alone (the finalizer of MurmurHash3). */
function randomOf(seed: number, place: number): number {
  let hash = Math.imul(seed, 0x9e3779b1) + Math.imul(place + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
