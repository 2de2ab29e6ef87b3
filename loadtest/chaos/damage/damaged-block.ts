// A block of the event log whose bytes are damaged is named another way: its events are no events
// any more, so what they were nobody can say. Its bytes are events of System->rejected, a line is
// logged, a metric counts it (docs/guides/operate.md).
import { type Asked, ask } from './ask.ts'
import { logOf } from './sent-events.ts'

const LOGGED =
  '"message":"damaged blocks of the event log, their bytes are kept in System->rejected"'
const COUNTED = /^logeye_writer_damaged_blocks_total\{[^}]*\} [1-9]/m

/** True when log, metrics and search name a damaged block. */
export async function isBlockNamed(asked: Asked, output: string): Promise<boolean> {
  if (!output.replaceAll('": ', '":').includes(LOGGED)) return false
  const metrics = await (await fetch(`${asked.url}/metrics`)).text()
  const kept = await ask(asked, '* in log.rejected | count')
  return COUNTED.test(metrics) && Number(kept.rows[1]?.[0] ?? 0) > 0
}

/** What such a block may change: events that waited are not found, and counts are without them and
 *  with its bytes. Nothing else. */
export function isOfBlock(
  check: { query: string; differs: string },
  waitingRound: number,
): boolean {
  const { query, differs } = check
  if (query.includes('server.'))
    return query.includes(`chaos${waitingRound}x`) && /^\d+ of \d+ of \S+ not found$/.test(differs)
  if (query.endsWith('group by log'))
    return differs
      .split(', ')
      .every((it) => it.startsWith('rejected has ') || it.startsWith(`${logOf(waitingRound)} has `))
  return /^\d+ where \d+ were acknowledged$/.test(differs)
}
