// `logeye adopt-event-log`: the operator gives up what another topic, or the embedded event log,
// held and was not stored yet.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { Database } from '../database/port.ts'
import { beginEmbeddedEventLogAnew } from '../event-log/open.ts'
import { PLACES_OF_A_LOG } from '../event-log/places.ts'
import { adoptEventLog } from '../metastore/ledger/known-event-log.ts'
import { lockDataDir } from '../supervisor/data-dir-lock.ts'
import { adoptTopic, type ReadIntentNumber } from './adopt-topic.ts'

/** Resolves with what was done. Fails with start.refused, start.data_dir_taken. */
export async function adoptConfiguredEventLog(
  config: Config,
  database: Database,
  tools: Tools,
): Promise<string> {
  const url = config.eventLogUrl?.reveal()
  return url === undefined
    ? await beginEmbeddedAnew(config, database, tools.clock)
    : await adoptConfiguredTopic(url, config, database, tools)
}

type Tools = { readonly clock: Clock; readonly readIntentNumber: ReadIntentNumber }

async function adoptConfiguredTopic(
  url: string,
  config: Config,
  database: Database,
  tools: Tools,
): Promise<string> {
  const number = await adoptTopic(url, config, database, tools)
  if (number === undefined) {
    const reason = 'the brokers are too old to tell topics apart'
    throw new Failure('start.refused', { reason })
  }
  return `The topic of LOGEYE_EVENT_LOG_URL is event log number ${number} of this product. Start all processes.`
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
