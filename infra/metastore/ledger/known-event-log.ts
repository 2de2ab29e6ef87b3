// Which event log the events in the store come from. A topic that was deleted and made anew counts
// its places from 0 again: the writer would take its blocks for some that are stored, or skip them.
// So each has a number, and its places begin far above the last one's.
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'

type Known = { readonly generation: number; readonly identity: string }

/** Number of the event log; the first that is seen is 0. Fails with start.refused when it is
 *  another than the last one. */
export async function recognizeEventLog(
  database: Database,
  identity: string,
  clock: Pick<Clock, 'nowMs'>,
): Promise<number> {
  const known = (await readLast(database.read)) ?? (await keep(database, identity, clock, isNone))
  if (known.identity === identity) return known.generation
  const reason =
    "the topic of LOGEYE_EVENT_LOG_URL is another than before: it was deleted and made anew, or the address has changed. Bring the old one back, or stop all processes and run 'logeye adopt-event-log'"
  throw new Failure('start.refused', { reason })
}

/** The decision of an operator: what the one before held and was not stored is given up. `least`:
 *  the number that it has at least, by what lies in it or in the store. */
export async function adoptEventLog(
  database: Database,
  identity: string,
  clock: Pick<Clock, 'nowMs'>,
  least = 0,
): Promise<number> {
  const isOther = (last: Known | undefined) =>
    last === undefined || last.identity !== identity || last.generation < least
  return (await keep(database, identity, clock, isOther, least)).generation
}

/** undefined: none was seen yet. */
export async function readEventLogNumber(db: Database['read']): Promise<number | undefined> {
  return (await readLast(db))?.generation
}

function isNone(last: Known | undefined): boolean {
  return last === undefined
}

async function keep(
  database: Database,
  identity: string,
  clock: Pick<Clock, 'nowMs'>,
  isWanted: (last: Known | undefined) => boolean,
  least = 0,
): Promise<Known> {
  return await database.write(async (transaction) => {
    const last = await readLast(transaction)
    if (last !== undefined && !isWanted(last)) return last
    const following = last === undefined ? 0 : last.generation + 1
    const made = { generation: Math.max(following, least), identity }
    const row = { ...made, adopted_ms: clock.nowMs() }
    await transaction.insertInto('event_logs').values(row).execute()
    return made
  })
}

async function readLast(db: Database['read']): Promise<Known | undefined> {
  const found = db.selectFrom('event_logs').select(['generation', 'identity'])
  return await found.orderBy('generation', 'desc').limit(1).executeTakeFirst()
}
