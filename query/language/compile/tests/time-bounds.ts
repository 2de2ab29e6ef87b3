// The time window as conditions (decision 4.3). Always sent: the store prunes by them.
import type { SearchInput } from '../../search-input.ts'
import type { SqlParams } from '../sql-params.ts'

/** An event is at most one day ahead of its receipt (decision 3.7). */
const DAY_MS = 86_400_000
/** What a DateTime64(9) holds. */
const LAST_MS = 9_223_372_036_000

/** On `events`. */
export function timeBounds({ startMs, endMs }: SearchInput['window'], params: SqlParams): string[] {
  const conditions: string[] = []
  if (startMs !== null) {
    conditions.push(`timestamp >= ${momentSql(startMs, params)}`)
    const received = params.add(String(clamp(startMs - DAY_MS)), 'Int64')
    conditions.push(`received >= fromUnixTimestamp64Milli(${received}, 'UTC')`)
  }
  if (endMs !== null) conditions.push(`timestamp < ${momentSql(endMs, params)}`)
  return conditions
}

/** On `events`, by their receipt. */
export function receiptBounds(
  { startMs, endMs }: SearchInput['window'],
  params: SqlParams,
): string[] {
  const moment = (ms: number) =>
    `fromUnixTimestamp64Milli(${params.add(String(clamp(ms)), 'Int64')}, 'UTC')`
  return [
    ...(startMs === null ? [] : [`received >= ${moment(startMs)}`]),
    ...(endMs === null ? [] : [`received < ${moment(endMs)}`]),
  ]
}

function momentSql(ms: number, params: SqlParams): string {
  const nanos = params.add(String(BigInt(clamp(ms)) * 1_000_000n), 'Int64')
  return `fromUnixTimestamp64Nano(${nanos}, 'UTC')`
}

function clamp(ms: number): number {
  return Math.min(Math.max(Math.trunc(ms), -LAST_MS), LAST_MS)
}
