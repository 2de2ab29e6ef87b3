// Metastores over one database, each with its own connection, as processes have them. Closed after
// each test.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { patient } from '../run/patience.ts'
import { type DatabasePlace, makeDatabasePlace } from './database-place.ts'

/** Decision 2.6: a change is known within a second everywhere. */
const KNOWN_WITHIN_MS = patient(1000)

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

export async function open(): Promise<OpenedMetastore> {
  const logger = makeLogger({
    level: 'info',
    process: 'test',
    clock: systemClock,
    write: (line) => void logged.push(line),
  })
  const database = await place.open()
  const metastore = await openMetastore({ database, clock: systemClock, logger })
  opened.push(metastore)
  return metastore
}
export const openTwo = async () => [await open(), await open()] as const

export async function eventually(claim: () => boolean): Promise<void> {
  const deadline = performance.now() + KNOWN_WITHIN_MS
  while (!claim()) {
    if (performance.now() > deadline) throw new Error(`not so within ${KNOWN_WITHIN_MS} ms`)
    await sleep(5)
  }
}
