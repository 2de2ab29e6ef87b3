// Meters that are taken, and those that are told as errors; the others are taken all the same.
import type { Meter, MeterError } from '../../schemas/portal/deployments.ts'

export const HOUR_MS = 3_600_000
const MAX_AGE_HOURS = 400 * 24

export type HourMeter = {
  /** Hours since 1970. */
  readonly hour: number
  readonly source: string
  readonly events: number
  readonly bytes: number
}

export function checkMeters(
  meters: readonly Meter[],
  nowMs: number,
): { readonly taken: HourMeter[]; readonly errors: MeterError[] } {
  const taken: HourMeter[] = []
  const errors: MeterError[] = []
  const current = Math.floor(nowMs / HOUR_MS)
  for (const [index, meter] of meters.entries()) {
    const { hour: text, source, events, bytes } = meter
    const hour = Date.parse(text) / HOUR_MS
    const fault = findFault(hour, current)
    if (fault === undefined) taken.push({ hour, source, events, bytes })
    else errors.push({ index, hour: text, ...fault })
  }
  return { taken, errors }
}

function findFault(hour: number, current: number) {
  if (!Number.isInteger(hour))
    return { code: 'hour_not_whole', message: 'must be the begin of an hour in UTC' } as const
  if (hour > current + 1)
    return { code: 'hour_ahead', message: 'is more than one hour ahead' } as const
  if (hour < current - MAX_AGE_HOURS)
    return { code: 'hour_too_old', message: 'is older than 400 days' } as const
  return undefined
}
