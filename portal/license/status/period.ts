// The period of a licence in which a moment lies: months from its first day on, in UTC. Pure.
import { addDays } from '../forecast/calendar.ts'
import type { Period } from '../forecast/forecast-usage.ts'

/** Of a month without the day of the first one, the last day counts: from the 31st of January, the
 *  second period begins on the 28th or 29th of February. Before the licence begins it is the first
 *  period, after its end the last one. */
export function periodAt(
  license: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
): Period {
  const first = new Date(license.fromMs)
  const last = dayOf(license.toMs - 1)
  const day = dayOf(Math.min(Math.max(nowMs, license.fromMs), license.toMs - 1))
  const at = new Date(day)
  const passed = (at.getUTCFullYear() - first.getUTCFullYear()) * 12
  const months = passed + at.getUTCMonth() - first.getUTCMonth()
  const began = beginOf(first, months) <= day ? months : months - 1
  const from = beginOf(first, began)
  const to = addDays(beginOf(first, began + 1), -1)
  const isLast = last < to
  return { from, to: isLast ? last : to }
}

function beginOf(first: Date, months: number): string {
  const year = first.getUTCFullYear()
  const month = first.getUTCMonth() + months
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month, Math.min(first.getUTCDate(), days)))
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
