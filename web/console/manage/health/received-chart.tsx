import { BarChart } from '../../../shared/charts/bar-chart.tsx'
import { printCount } from '../../../shared/format.ts'
import { printBytes } from '../parts/print.ts'
import type { Quarter } from './health-rows.ts'
import { HEALTH_TEXTS as T } from './texts.ts'

/** Of a time in any form of the system. */
const CLOCK = /\d{1,2}:\d\d/

export function ReceivedChart({ quarters }: { readonly quarters: readonly Quarter[] }) {
  if (quarters.every(({ events }) => events === 0)) return <p class="soft">{T.noneReceived}</p>
  const bars = quarters.map(({ time, events, bytes }) => ({
    label: CLOCK.exec(time)?.[0] ?? time,
    title: T.quarter(time, printBytes(bytes)),
    values: [events],
  }))
  return (
    <BarChart label={T.receivedDay} series={[T.events]} bars={bars} print={printCount} isCount />
  )
}
