// What lies on the disk of each day, as bars. Pure.
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import type { Bar } from '../../../shared/charts/bar-chart.tsx'

type Day = SdkAnswer<'diskUsage'>['days'][number]

/** Rising days, without those between that hold nothing; a series for each policy. */
export function dayBars(days: readonly Day[]): {
  readonly series: readonly string[]
  readonly bars: readonly Bar[]
} {
  const series = [...new Set(days.map(({ policy }) => policy))].toSorted()
  const byDay = Map.groupBy(days, ({ day }) => day)
  const bars = [...byDay]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, own]) => ({
      label: day.slice(5),
      title: day,
      values: series.map((name) =>
        own.filter(({ policy }) => policy === name).reduce((sum, { bytes }) => sum + bytes, 0),
      ),
    }))
  return { series, bars }
}
