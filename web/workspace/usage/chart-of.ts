// What the chart and the table of usage show of the rows of the API.
import type { UsageRow } from '../../../schemas/portal/usage.ts'
import type { UsageAsked } from '../api/usage.ts'
import { WORKSPACE } from '../texts.ts'

export const BYS = ['deployment', 'source', 'none'] as const
export type By = (typeof BYS)[number]

const STEP_MS = { day: 86_400_000, hour: 3_600_000 }
const MOST = 8

export type Total = {
  /** Id of the deployment, or the source. */
  readonly key: string
  readonly name: string
  readonly events: number
  readonly bytes: number
}

/** Every hour or day has a bar, also one without a row; the greatest series stand first. */
export function chartOf(
  rows: readonly UsageRow[],
  { granularity, from, to }: UsageAsked,
  split: By,
  names: ReadonlyMap<string, string>,
) {
  const keyOf = ({ deploymentId, source }: UsageRow) =>
    split === 'deployment' ? deploymentId : split === 'source' ? source : ''
  const nameOf = (key: string) =>
    split === 'deployment'
      ? (names.get(key) ?? key)
      : split === 'source'
        ? key || WORKSPACE.usage.noSource
        : WORKSPACE.usage.all
  const byKey = new Map<string, Total>()
  const byTime = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const key = keyOf(row)
    const { events = 0, bytes = 0 } = byKey.get(key) ?? {}
    byKey.set(key, {
      ...{ key, name: nameOf(key) },
      ...{ events: events + row.events, bytes: bytes + row.bytes },
    })
    const ofTime = byTime.get(row.time) ?? new Map<string, number>()
    ofTime.set(key, (ofTime.get(key) ?? 0) + row.bytes)
    byTime.set(row.time, ofTime)
  }
  const totals = [...byKey.values()].sort((one, other) => other.bytes - one.bytes)
  const shown = totals.slice(0, MOST)
  const others = totals.slice(MOST)
  const step = STEP_MS[granularity]
  const first = Math.floor(Date.parse(from) / step) * step
  const count = Math.ceil((Date.parse(to) - first) / step)
  const bars = Array.from({ length: count }, (_, at) => {
    const time = new Date(first + at * step).toISOString()
    const ofTime = byTime.get(time)
    const values = shown.map(({ key }) => ofTime?.get(key) ?? 0)
    const rest = others.reduce((sum, { key }) => sum + (ofTime?.get(key) ?? 0), 0)
    return { time, values: others.length === 0 ? values : [...values, rest] }
  })
  const series = shown.map(({ name }) => name)
  return {
    series: others.length === 0 ? series : [...series, WORKSPACE.usage.others(others.length)],
    ...{ bars, totals },
  }
}
