import { BarChart } from '../../../shared/charts/bar-chart.tsx'
import { printCount } from '../../../shared/format.ts'
import type { Minute } from './health-rows.ts'
import { HEALTH_TEXTS as T } from './texts.ts'

/** Of a time in any form of the system. */
const CLOCK = /\d{1,2}:\d\d/

export function MinuteChart({ minutes }: { readonly minutes: readonly Minute[] }) {
  if (minutes.every(({ events }) => events === 0)) return <p class="soft">{T.noMinutes}</p>
  const bars = minutes.map(({ time, events }) => ({
    label: CLOCK.exec(time)?.[0] ?? time,
    title: time,
    values: [events],
  }))
  return <BarChart label={T.minutes} series={[T.events]} bars={bars} print={printCount} isCount />
}
