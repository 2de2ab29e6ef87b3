// Gives the topic of LOGEYE_EVENT_LOG_URL its number in this database: above those of other event
// logs whose events are in the store, and never below the one under which writers have committed
// positions in it. A database that is new, or older, does not know them.
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { Database } from '../database/port.ts'
import { openEventLog } from '../event-log/open.ts'
import { eventLogNumberOf } from '../event-log/places.ts'
import type { EventLog } from '../event-log/port.ts'
import { adoptEventLog, readEventLogNumber } from '../metastore/ledger/known-event-log.ts'
import { readStoreNumber } from '../store/has-rows.ts'

/** The number of the last intent that a committed position tells of; undefined: of none. */
export type ReadIntentNumber = (metadata: string) => number | undefined

type Place = Pick<Config, 'dataDir' | 'eventLog' | 'storeUrl' | 'storeCluster'>

/** undefined: the brokers are too old to tell topics apart. Fails with start.refused, store.*,
 *  event_log.*. */
export async function adoptTopic(
  url: string,
  { dataDir, eventLog: limits, storeUrl, storeCluster }: Place,
  database: Database,
  { clock, readIntentNumber }: { clock: Clock; readIntentNumber: ReadIntentNumber },
): Promise<number | undefined> {
  let identity: string | undefined
  const recognize = async (found: string) => {
    identity = found
    return 0
  }
  const eventLog = await openEventLog({ url, dataDir, ...limits, clock, recognize })
  try {
    if (identity === undefined) return undefined
    const committed = await readCommitted(eventLog, readIntentNumber)
    const stored =
      committed === undefined && storeUrl !== undefined
        ? await readStoreNumber(storeUrl.reveal(), storeCluster)
        : undefined
    const known = await readEventLogNumber(database.read)
    return await adoptEventLog(database, identity, clock, leastNumber({ committed, stored, known }))
  } finally {
    await eventLog.close()
  }
}

/** `committed`, `stored`: numbers of intents, undefined where nobody has said one. `known`: of the
 *  database. */
export function leastNumber({
  committed,
  stored,
  known,
}: Readonly<Record<'committed' | 'stored' | 'known', number | undefined>>): number {
  if (committed !== undefined) return eventLogNumberOf(committed)
  // The store of this machine does not run now: what it has may be of the number that is known.
  if (stored === undefined) return (known ?? 0) + 1
  return stored === 0 ? 0 : eventLogNumberOf(stored) + 1
}

async function readCommitted(
  eventLog: EventLog,
  readIntentNumber: ReadIntentNumber,
): Promise<number | undefined> {
  let highest: number | undefined
  for (let partition = 0; partition < eventLog.partitions; partition += 1) {
    const { metadata } = await eventLog.position(partition)
    const number = readIntentNumber(metadata)
    if (number !== undefined) highest = Math.max(highest ?? 0, number)
  }
  return highest
}
