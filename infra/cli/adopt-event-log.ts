// `logeye adopt-event-log`: the operator's word that what another topic, or the embedded event log, held and was not stored is given up.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { Database } from '../database/port.ts'
import { beginEmbeddedEventLogAnew, openEventLog } from '../event-log/open.ts'
import { PLACES_OF_A_LOG } from '../event-log/places.ts'
import { adoptEventLog } from '../metastore/known-event-log.ts'
import { lockDataDir } from '../supervisor/data-dir-lock.ts'

/** Resolves with what was done. Fails with start.refused, start.data_dir_taken. */
export async function adoptConfiguredEventLog(
  config: Config,
  database: Database,
  clock: Clock,
): Promise<string> {
  const url = config.eventLogUrl?.reveal()
  return url === undefined
    ? await beginEmbeddedAnew(config, database, clock)
    : await adoptTopic(url, config, database, clock)
}

async function adoptTopic(
  url: string,
  { dataDir, eventLog: limits }: Config,
  database: Database,
  clock: Clock,
): Promise<string> {
  let generation: number | undefined
  const recognize = async (identity: string) => {
    generation = await adoptEventLog(database, identity, clock)
    return generation
  }
  const eventLog = await openEventLog({ url, dataDir, ...limits, clock, recognize })
  await eventLog.close()
  if (generation === undefined) {
    const reason = 'the brokers are too old to tell topics apart'
    throw new Failure('start.refused', { reason })
  }
  return `The topic of LOGEYE_EVENT_LOG_URL is event log number ${generation} of this product. Start all processes.`
}

async function beginEmbeddedAnew(
  { dataDir, eventLog }: Config,
  database: Database,
  clock: Clock,
): Promise<string> {
  const lock = lockDataDir(dataDir)
  try {
    const adopt = () => {
      const identity = `embedded ${clock.randomBytes(8).toString('hex')}`
      return adoptEventLog(database, identity, clock)
    }
    // Number 0 is the one that was there before anybody kept count.
    const generation = (await adopt()) || (await adopt())
    const first = generation * PLACES_OF_A_LOG
    const aside = await beginEmbeddedEventLogAnew({ dataDir, clock, ...eventLog }, first)
    const kept = aside.length === 0 ? '' : ` What was there is kept in ${aside.join(', ')}.`
    return `The embedded event log begins anew as number ${generation} of this product.${kept}`
  } finally {
    lock.release()
  }
}
