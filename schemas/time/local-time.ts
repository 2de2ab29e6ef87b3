// A moment as a wall clock shows it, without a zone. Proleptic Gregorian calendar, as Java and ISO
// 8601 count.

export type LocalTime = {
  readonly year: number
  /** 1–12. */
  readonly month: number
  /** 1–31. */
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** Nanoseconds below the millisecond, 0–999,999; absent: 0. */
  readonly nanosecond?: number
}

/** The wall clock as if it stood in UTC: epoch milliseconds. Fields beyond their range carry
 *  over. */
export function localToUtcMs(local: LocalTime): number {
  const date = new Date(0)
  date.setUTCFullYear(local.year, local.month - 1, local.day)
  date.setUTCHours(local.hour, local.minute, local.second, local.millisecond)
  return date.getTime()
}

/** The inverse of localToUtcMs. */
export function utcMsToLocal(utcMs: number): LocalTime {
  const date = new Date(utcMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  }
}

/** True when every field is in its range and the day exists in its month. */
export function isRealLocalTime(local: LocalTime): boolean {
  const back = utcMsToLocal(localToUtcMs(local))
  return (
    back.year === local.year &&
    back.month === local.month &&
    back.day === local.day &&
    back.hour === local.hour &&
    back.minute === local.minute &&
    back.second === local.second &&
    back.millisecond === local.millisecond
  )
}
