// How values are printed in cells (search-language#the-result-of-a-simple-search, #formats): times
// in the system date format, computed numbers short, the rest as received.
import type { DateFormat } from '../../../schemas/time/date-format.ts'
import { utcMsToLocal } from '../../../schemas/time/local-time.ts'
import type { TimeZone } from '../../../schemas/time/time-zone.ts'

export type CellStyle = { readonly dateFormat: DateFormat; readonly zone: TimeZone }

const MAX_DIGITS = 15

/** Milliseconds are printed when they are not zero; digits below them (`nanosecond`) where the date
 *  format has letters for them. */
export function formatTime(
  instantMs: number,
  { dateFormat, zone }: CellStyle,
  nanosecond = 0,
): string {
  const offsetMs = zone.offsetMsAt(instantMs)
  const local = { ...utcMsToLocal(instantMs + offsetMs), nanosecond }
  return dateFormat.printWithMilliseconds(local, offsetMs / 60_000)
}

/** Shortest form with at most 15 digits; digits that came as text (64-bit counts) stay whole. */
export function formatNumber(value: number | string): string {
  if (typeof value === 'string') return value
  return Number.isFinite(value) ? String(Number(value.toPrecision(MAX_DIGITS))) : ''
}
