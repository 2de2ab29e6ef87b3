// What lies on the disk of each day, as bars. Pure.
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import type { Bar } from '../../../shared/charts/bar.ts'

type Day = SdkAnswer<'diskUsage'>['days'][number]

const DAY_MS = 86_400_000
/** A single bar of a whole width says nothing. */
const LEAST_DAYS = 14

/** Rising days, those without data between and before them too; a series for each policy. */
export function dayBars(days: readonly Day[]): {
  readonly series: readonly string[]
  readonly bars: readonly Bar[]
} {
  const series = [...new Set(days.map(({ policy }) => policy))].toSorted()
  if (days.length === 0) return { series, bars: [] }
  const known = days.map(({ day }) => Date.parse(day))
  const lastMs = Math.max(...known)
  const firstMs = Math.min(...known, lastMs - (LEAST_DAYS - 1) * DAY_MS)
  const bars = Array.from({ length: (lastMs - firstMs) / DAY_MS + 1 }, (_, index) => {
    const day = new Date(firstMs + index * DAY_MS).toISOString().slice(0, 10)
    const own = days.filter((one) => one.day === day)
    const values = series.map((name) =>
      own.filter(({ policy }) => policy === name).reduce((sum, { bytes }) => sum + bytes, 0),
    )
    return { label: day.slice(5), title: day, values }
  })
  return { series, bars }
}
