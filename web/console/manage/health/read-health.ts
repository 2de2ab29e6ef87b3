// What searches tell of the health of the system.
import { searchTable } from '../../../shared/api/search.ts'
import { type Quarter, readQuarters, readSearches, type SlowSearch } from './health-rows.ts'

/** Of a day, and the first and last one, which lie in it in part. */
const QUARTERS = 98
const MOST_SLOW = 20

/** Of what the user may view, the oldest quarter of an hour first: the writer counts by them. */
export async function readReceived(signal: AbortSignal): Promise<readonly Quarter[]> {
  const query = '* | datastream received | interval 15 minutes'
  const table = await searchTable({ query, interval: 'last24Hours', limit: QUARTERS }, signal)
  return readQuarters(table)
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
