// Metastores over one database, each with its own connection, as processes have them. Closed after
// each test.
import { afterEach, beforeEach } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { testClock } from '../run/test-clock.ts'
import { type DatabasePlace, makeDatabasePlace } from './database-place.ts'

/** Of the running test. */
export let place: DatabasePlace
const opened: OpenedMetastore[] = []
/** What the metastores logged. */
export const logged: string[] = []

/** To be called at the top of a test file. */
export function useMetastores(): void {
  beforeEach(async () => {
    place = await makeDatabasePlace()
    logged.length = 0
  })
  afterEach(async () => {
    for (const metastore of opened.splice(0)) await metastore.close()
    await place.remove()
  })
}

export async function open(clock: Clock = testClock): Promise<OpenedMetastore> {
  const logger = makeLogger({
    level: 'info',
    process: 'test',
    clock,
    write: (line) => void logged.push(line),
  })
  const database = await place.open()
  const metastore = await openMetastore({ database, clock, logger })
  opened.push(metastore)
  return metastore
}
export const openTwo = async () => [await open(), await open()] as const
