// The database's part of a backup, which is taken after the store's (docs/decisions/0048): what
// took events away in between is at work again where the backup is put back, since the store's part
// may have them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DATABASE_FILE } from '../../../infra/database/database-file.ts'
import { Lease } from '../../../infra/database/lease.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import type { Database } from '../../../infra/database/port.ts'
import { copySqlite } from '../../../infra/database/sqlite-copy.ts'
import {
  addDeletion,
  changeDeletion,
  type DeletionState,
  readDeletions,
  readHidden,
} from '../../../infra/metastore/retention/deletions.ts'
import {
  beginRemoval,
  endRemoval,
  readRemovals,
} from '../../../infra/metastore/retention/unit-removals.ts'
import { seed } from '../../../infra/metastore/seed.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { testClock } from '../../support/run/test-clock.ts'

const SINCE_MS = 1_000_000

let place: DatabasePlace
let database: Database
beforeEach(async () => {
  place = await makeDatabasePlace()
  database = await place.open()
  await seed(database, testClock)
})
afterEach(() => place.remove())

it('has deletions and removals that ended meanwhile open', async () => {
  const held = await new Lease({ database, clock: testClock, name: 'test' }).tryTake()
  if (held === undefined) throw new Error('the lease is not free')
  const states: readonly (readonly [DeletionState, endedMs?: number])[] = [
    ['hidden'],
    ['entered'],
    ['removed'],
    ['done', SINCE_MS - 1],
    ['done', SINCE_MS],
  ]
  for (const [at, [state, endedMs]] of states.entries()) {
    const asked = { askedBy: 'ann', askedMs: 1, events: 1, bytes: 1 }
    const deletion = await database.write((transaction) =>
      addDeletion(transaction, { logId: 1, log: 'a', condition: `log_id = ${at}`, ...asked }, 'ab'),
    )
    await changeDeletion(database, deletion, { state, units: [[1, 7]], endedMs }, held)
  }
  for (const [day, nowMs] of [
    [1, SINCE_MS - 1],
    [2, SINCE_MS],
  ] as const) {
    const begun = { policyId: 1, day, cause: 'age', nowMs: 1 } as const
    const removal = await beginRemoval(database, begun, { held, unique: 'ab' })
    await endRemoval(database, removal, { events: 1, bytes: 1, nowMs, bounds: [] }, held)
  }

  const to = join(place.dataDir, 'copy')
  mkdirSync(to)
  const since = { replaysSinceMs: SINCE_MS, storeSinceMs: SINCE_MS }
  await copySqlite(place.dataDir, join(to, DATABASE_FILE), since)
  const copy = await openDatabase({ url: undefined, dataDir: to, clock: testClock })
  try {
    const deletions = (await readDeletions(copy.read, 10)).toReversed()
    expect(deletions.map(({ state }) => state)).toEqual([
      ...['hidden', 'entered', 'entered', 'done', 'entered'],
    ])
    expect(deletions.at(-1)).toMatchObject({ units: [[1, 7]], endedMs: undefined })
    expect(await readHidden(copy.read)).toHaveLength(4)
    const removals = (await readRemovals(copy.read, 10)).toReversed()
    expect(removals.map(({ isOpen }) => isOpen)).toEqual([false, true])
  } finally {
    await copy.close()
  }
})
