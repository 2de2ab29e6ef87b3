// When the plan's volume is used up. A plan of so many bytes a day allows so many times the days of
// its period: busy days may be above it while quiet ones are below (docs/decisions/0053).
import { addDays, daysBetween } from './calendar.ts'
import {
  actualBytes,
  type Period,
  type UsageForecast,
  type UsageHistory,
} from './forecast-usage.ts'

export type PlanDays = {
  /** Bytes of the whole period. */
  readonly allowedBytes: number
  /** The first day at whose end the period's volume is above what is allowed, over or to come. */
  readonly exceedsPlanOn: string | null
  /** The first day to come, today included, that is above the plan's volume by itself. */
  readonly dayAbovePlanOn: string | null
}

/** `forecast` undefined: only days that are over are looked at. */
export function findPlanDays(
  history: UsageHistory,
  period: Period,
  plan: { readonly volumeBytesPerDay: number; readonly forecast: UsageForecast | undefined },
): PlanDays {
  const periodDays = daysBetween(period.from, period.to) + 1
  const allowedBytes = plan.volumeBytesPerDay * periodDays
  const toCome = (plan.forecast?.days ?? []).filter(({ date }) => date >= period.from)
  return {
    allowedBytes,
    exceedsPlanOn:
      pastExcess(history, period, allowedBytes) ??
      futureExcess(toCome, actualBytes(history, period), allowedBytes),
    dayAbovePlanOn: toCome.find(({ bytes }) => bytes > plan.volumeBytesPerDay)?.date ?? null,
  }
}

function pastExcess({ from, days }: UsageHistory, period: Period, allowed: number): string | null {
  let sum = 0
  for (const [at, bytes] of days.entries()) {
    const date = addDays(from, at)
    if (date < period.from || date > period.to) continue
    sum += bytes ?? 0
    if (sum > allowed) return date
  }
  return null
}

function futureExcess(days: UsageForecast['days'], actual: number, allowed: number): string | null {
  let sum = actual
  for (const { date, bytes } of days) {
    sum += bytes
    if (sum > allowed) return date
  }
  return null
}
