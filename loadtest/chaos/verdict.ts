// What a campaign left behind, read back through the public search: each acknowledged event once, counters equal to events.
import { waitForCount } from '../support/measure.ts'
import type { SearchClient } from '../support/search-client.ts'

export type Verdict = {
  readonly acknowledged: number
  readonly stored: number
  readonly lost: number
  readonly doubled: number
  /** Difference between ingest counters and events; 0 when right. */
  readonly counterError: number
}

const SCOPE = '* in server.sender*'
const SETTLE_LIMIT_MS = 120_000

/** That it sees what is lost, doubled or miscounted is shown by test/behaviour/verdict.test.ts. */
export async function judge(
  search: SearchClient,
  acknowledged: number,
  settleLimitMs = SETTLE_LIMIT_MS,
): Promise<Verdict> {
  await waitForCount(search, SCOPE, acknowledged, settleLimitMs)
  // A double would come late: give it the time of a writer's recovery.
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const stored = await search.count(SCOPE)
  const distinct = Number((await search.search(`${SCOPE} | distinct count n`)).rows[1]?.[0] ?? 0)
  const rows = (
    await search.search('* | datastream | group by source', { maxNumOfRecords: '100000' })
  ).rows
  const eventsAt = rows[0]?.indexOf('events') ?? -1
  const counted = rows.slice(1).reduce((sum, row) => sum + Number(row[eventsAt] ?? 0), 0)
  const all = await search.count('*')
  return {
    acknowledged,
    stored,
    lost: Math.max(0, acknowledged - distinct),
    doubled: stored - distinct,
    counterError: counted - all,
  }
}

export function isRight(verdict: Verdict): boolean {
  return (
    verdict.lost === 0 &&
    verdict.doubled === 0 &&
    verdict.stored === verdict.acknowledged &&
    verdict.counterError === 0
  )
}
