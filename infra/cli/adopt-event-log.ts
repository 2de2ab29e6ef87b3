// `logeye adopt-event-log`: the operator's word that what another topic held and was not stored is given up.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { Database } from '../database/port.ts'
import { openEventLog } from '../event-log/open.ts'
import { adoptEventLog } from '../metastore/known-event-log.ts'

/** Resolves with what was done. Fails with start.refused. */
export async function adoptConfiguredEventLog(
  { eventLogUrl, dataDir, eventLog: limits }: Config,
  database: Database,
  clock: Clock,
): Promise<string> {
  const url = eventLogUrl?.reveal()
  const refuse = (reason: string) => new Failure('start.refused', { reason })
  if (url === undefined) throw refuse('the embedded event log is never another: nothing to adopt')
  let generation: number | undefined
  const recognize = async (identity: string) => {
    generation = await adoptEventLog(database, identity, clock)
    return generation
  }
  const eventLog = await openEventLog({ url, dataDir, ...limits, clock, recognize })
  await eventLog.close()
  if (generation === undefined) throw refuse('the brokers are too old to tell topics apart')
  return `The topic of LOGEYE_EVENT_LOG_URL is event log number ${generation} of this product. Start all processes.`
}
