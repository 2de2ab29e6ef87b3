// Who makes the tables of a store that several processes begin on, and what they say when it cannot
// be done.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrationStatements } from '../../../infra/store/migrate.ts'
import { prepareTables } from '../../../infra/store/prepare-tables.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { silentLogger as logger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import type { Answer, Asked } from '../../support/store/clickhouse-double.ts'
import { openClusterStore } from '../../support/store/cluster-store.ts'

/** Each statement makes one on each server. */
const TABLES = migrationStatements({ name: 'logeye', database: 'logs' }).length

let place: DatabasePlace
const ends: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  place = await makeDatabasePlace()
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await place.remove()
})

const open = (answer: (asked: Asked) => Answer) => openClusterStore(ends, answer)

describe('of several processes that begin', () => {
  it('one makes the tables at a time', async () => {
    const done: { number: number }[] = []
    const { store, url, asked } = await open(({ sql }) => {
      const recorded = /^INSERT INTO migrations VALUES \((\d+)\)/.exec(sql)?.[1]
      if (recorded !== undefined) done.push({ number: Number(recorded) })
      return sql.startsWith('SELECT DISTINCT number')
        ? done
        : sql.includes('AS found')
          ? [{ found: String(TABLES), servers: '1' }]
          : []
    })
    const database = await place.open()
    const { signal } = new AbortController()
    const common = { store, url, database, clock: testClock, logger, signal }
    await Promise.all([prepareTables(common), prepareTables(common), prepareTables(common)])
    const made = asked
      .map(({ sql }) => sql)
      .filter((sql) => sql.includes('.events_local ON CLUSTER'))
    expect(made).toHaveLength(1)
  })

  it('the others wait for the one, and no longer than they may', async () => {
    const { store: slow, asked } = await open(() => [{ found: '0', servers: '1' }])
    const database = await place.open()
    const stopping = new AbortController()
    const common = { url: 'http://store:8123', database, clock: testClock, logger }
    const holder = prepareTables({ ...common, store: slow, signal: stopping.signal })
    await waitUntil('one makes the tables', () => asked.length > 0)
    const { signal } = new AbortController()
    const late = prepareTables({ ...common, store: slow, signal, limitMs: 300 })
    await expect(late).rejects.toThrow(
      "the tables of the store were not made within 0.3 s by the process that holds the lease 'store tables'",
    )
    stopping.abort()
    await holder
  })

  it.each([
    [
      {
        code: 497,
        text: 'logeye: Not enough privileges. To execute this query, it is necessary to have the grant CREATE TABLE ON logs.events',
      },
      'the user lacks the right CREATE TABLE ON logs.events',
    ],
    [
      { code: 139, text: "No macro 'shard' in config while processing substitutions" },
      'its configuration lacks a macro, or Keeper',
    ],
  ])('what hinders it is one line: %o', async (answer, reason) => {
    const { store, url } = await open(() => answer)
    const database = await place.open()
    const { signal } = new AbortController()
    const prepared = prepareTables({ store, url, database, clock: testClock, logger, signal })
    await expect(prepared).rejects.toThrow(
      `the store at ${new URL(url).host} cannot be used: ${reason}`,
    )
  })
})
