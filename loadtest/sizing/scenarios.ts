// What a plan has to live through without a refused event: quiet days, each part missing at the
// peak, and the whole store away.
import type { Load } from './assumptions.ts'
import { type Plan, worstOutage } from './plan.ts'
import { type Course, type Fault, simulate } from './simulate.ts'

const NOON = 720
const HOUR = 60
const DAY = 24 * HOUR
/** After the fault, until everything has to be stored. */
const DAYS_TO_CATCH_UP = 2

export type Trial = { readonly name: string; readonly course: Course; readonly holds: boolean }

export function tryPlan(load: Load, plan: Plan): Trial[] {
  const around = (centreMinute: number, kind: Fault['kind'], minutes: number): Fault => {
    const daysBefore = Math.ceil(Math.max(0, minutes / 2 - centreMinute) / DAY)
    const beginMinute = Math.round(centreMinute + daysBefore * DAY - minutes / 2)
    return { kind, minutes, beginMinute }
  }
  const atPeak = (kind: Fault['kind'], minutes: number) => around(NOON, kind, minutes)
  const outage = around(worstOutage(load).centreMinute, 'store', load.outageHours * HOUR)
  const scenarios: [string, Fault[]][] = [
    ['nothing is missing', []],
    ['one listener away, 2 h at the peak', [atPeak('listener', 2 * HOUR)]],
    ['one writer away, 2 h at the peak', [atPeak('writer', 2 * HOUR)]],
    ['one broker away, 2 h at the peak', [atPeak('broker', 2 * HOUR)]],
    ['one store node away, 6 h around the peak', [atPeak('storeNode', 6 * HOUR)]],
    [`the store away for its worst ${load.outageHours} h`, [outage]],
  ]
  return scenarios.map(([name, faults]) => {
    const lastMinute = Math.max(0, ...faults.map((it) => it.beginMinute + it.minutes))
    const days = Math.ceil(lastMinute / DAY) + DAYS_TO_CATCH_UP
    const course = simulate(load, plan, { days, faults })
    // Caught up at the end: what waits is what arrived in the last minute, at most.
    const isCaughtUp = course.waiting * load.eventBytes < load.bytesPerDay / (24 * HOUR)
    return { name, course, holds: course.refused < 1 && isCaughtUp }
  })
}
