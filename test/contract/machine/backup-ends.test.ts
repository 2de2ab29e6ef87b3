// How backups end that a kill cut off, as the next process with the writer finds them
// (docs/decisions/0048).
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runBackups } from '../../../infra/backup/run-backups.ts'
import type { Database } from '../../../infra/database/port.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import {
  askForBackup,
  changeBackup,
  readBackups,
} from '../../../infra/metastore/backups/backup-requests.ts'
import { seed } from '../../../infra/metastore/seed.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

let place: DatabasePlace
let database: Database
let directory: string

beforeEach(async () => {
  place = await makeDatabasePlace()
  database = await place.open()
  await seed(database, testClock)
  directory = join(place.dataDir, 'backups')
})
afterEach(() => place.remove())

/** As a process that was killed while it made one leaves it. */
async function leaveRunning(name: string, isDryRun: boolean): Promise<void> {
  await askForBackup(database, { name, isDryRun }, testClock)
  await changeBackup(database, name, { state: 'running' })
}

function leaveDirectory(name: string, hoursAgo = 0): string {
  const path = join(directory, name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'manifest'), '')
  const at = testClock.nowMs() / 1000 - hoursAgo * 3600
  utimesSync(path, at, at)
  return path
}

async function cleanUp(): Promise<Record<string, string>> {
  const stopping = new AbortController()
  const eventLog = await openEventLog({
    ...{ dataDir: place.dataDir, maxBytes: 1 << 24, maxBlockBytes: 1 << 20 },
    ...{ clock: testClock, logger: silentLogger },
  })
  const running = runBackups({
    ...{ dataDir: place.dataDir, directory, eventLog, database, logger: silentLogger },
    store: { command: () => Promise.reject(), query: () => Promise.reject() },
    holdWriter: () => Promise.reject(new Error('no writer')),
    clock: testClock,
    signal: stopping.signal,
  })
  const states = async () =>
    Object.fromEntries((await readBackups(database.read)).map((it) => [it.name, it.state]))
  try {
    await waitUntil(
      'nothing is said to run',
      async () => !Object.values(await states()).includes('running'),
      states,
    )
    return await states()
  } finally {
    stopping.abort()
    await running
    await eventLog.close()
  }
}

it('are done when they have their name, and have failed without it', async () => {
  for (const [name, isDryRun] of [
    ['whole', false],
    ['cut', false],
    ['estimate', true],
  ] as const) {
    await leaveRunning(name, isDryRun)
    expect(await cleanUpAfter(name)).toBe(name === 'whole' ? 'done' : 'failed')
  }
})

async function cleanUpAfter(name: string): Promise<string | undefined> {
  if (name === 'whole') leaveDirectory(name)
  if (name === 'cut') leaveDirectory('.cut.part')
  const states = await cleanUp()
  expect(existsSync(join(directory, '.cut.part'))).toBe(false)
  return states[name]
}

it('leave nothing; what another product may be making stays for a day', async () => {
  await leaveRunning('own', false)
  const [own, fresh, old] = [
    leaveDirectory('.own.part'),
    leaveDirectory('.other.part', 1),
    leaveDirectory('.dead.part', 30),
  ]
  await cleanUp()
  const there = () => [own, fresh, old].map(existsSync)
  await waitUntil('two are gone', () => there().filter((it) => it).length < 2, there)
  expect(there()).toEqual([false, true, false])
})
