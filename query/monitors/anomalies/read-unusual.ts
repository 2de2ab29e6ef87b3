// Logs whose last full hour is unusual, by the counters of what was received (decision 0122).
import type { Filter } from '../../language/tree.ts'
import { collect } from '../../search/collect.ts'
import type { TurnStore } from '../../search-json/endpoint.ts'
import type { Observed } from '../question.ts'
import { judgeHour, LEARNED_HOURS } from './expected-count.ts'

export type NamedLog = { readonly id: number; readonly path: string }

export const WHOLE_LOGS = 'unusual is about whole logs: write * in log.access'

const HOUR_MS = 3_600_000
const COLUMNS = ['log', 'hour', 'events', 'expected', 'from', 'to']

/** Counters know logs alone. */
export function isWhole(filter: Filter): boolean {
  if (filter.kind === 'scoped') return isWhole(filter.operand)
  return filter.kind === 'everything'
}

/** The sample has the hours that are unusual, with what was expected. */
export async function readUnusual(
  logs: readonly NamedLog[],
  dueMs: number,
  store: Pick<TurnStore, 'stream'>,
): Promise<Omit<Observed, 'seen'>> {
  const judged = Math.floor(dueMs / HOUR_MS) - 1
  const first = judged - LEARNED_HOURS + 1
  const received = await readHours(logs, { first, judged }, store)
  const counts = new Map<string, number>()
  const unusual = new Set<string>()
  const rows: string[][] = []
  for (const { id, path } of logs) {
    const hours = received.get(id) ?? []
    const count = hours.at(-1) ?? 0
    counts.set(path, count)
    const band = judgeHour(hours, first)
    if (band?.isOutside !== true) continue
    unusual.add(path)
    const texts = [band.expected, band.low, band.high].map((it) => String(Math.round(it)))
    rows.push([path, new Date(judged * HOUR_MS).toISOString(), String(count), ...texts])
  }
  return { counts, unusual, sample: { columns: COLUMNS, rows } }
}

/** Events of each hour, by log. */
async function readHours(
  logs: readonly NamedLog[],
  { first, judged }: { readonly first: number; readonly judged: number },
  store: Pick<TurnStore, 'stream'>,
): Promise<ReadonlyMap<number, number[]>> {
  const hours = new Map<number, number[]>()
  if (logs.length === 0) return hours
  const found = await collect(
    store.stream({
      sql: `SELECT log_id, intDiv(toUnixTimestamp(quarter), 3600) AS hour, sum(events) FROM counts
        WHERE quarter >= fromUnixTimestamp({from: UInt32}) AND quarter < fromUnixTimestamp({to: UInt32})
          AND log_id IN {logs: Array(UInt32)}
        GROUP BY log_id, hour`,
      params: {
        ...{ from: first * 3600, to: (judged + 1) * 3600 },
        logs: logs.map(({ id }) => id),
      },
      settings: {},
    }),
  )
  for (const [id, hour, events] of found) {
    const of = hours.get(Number(id)) ?? new Array<number>(LEARNED_HOURS).fill(0)
    of[Number(hour) - first] = Number(events)
    hours.set(Number(id), of)
  }
  return hours
}
