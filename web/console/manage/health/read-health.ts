// What searches tell of the health of the system.
import { searchTable } from '../../../shared/api/search.ts'
import { type Minute, readMinutes, readSearches, type SlowSearch } from './health-rows.ts'

const MINUTES = 100
const MOST_SLOW = 20

/** Of what the user may view, whole minutes, the oldest first. */
export async function readLastHour(signal: AbortSignal): Promise<readonly Minute[]> {
  const query = '* | datastream | interval 1 minute'
  const table = await searchTable({ query, interval: 'last60Minutes', limit: MINUTES }, signal)
  return readMinutes(table)
}

/** Of those that the audit log tells of, where the user may read it. */
export async function readSlow(signal: AbortSignal): Promise<readonly SlowSearch[]> {
  const table = await searchTable(
    { query: SLOW_QUERY, interval: 'last24Hours', limit: MOST_SLOW },
    signal,
  )
  return readSearches(table)
}

const SLOW_QUERY = [
  'surface = search in log.System->audit',
  'max details.durationMs, count',
  'group by details.query, user',
  'order by max desc',
  `limit ${MOST_SLOW}`,
].join(' | ')
