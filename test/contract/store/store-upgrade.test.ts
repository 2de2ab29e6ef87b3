// Counters of data format 1 become those of format 2, whatever a kill left of a run before.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { migrateStore } from '../../../infra/store/migrate.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'

const OLD = `CREATE TABLE counts (quarter DateTime('UTC'), event_quarter DateTime('UTC'), log_id UInt32,
  host LowCardinality(String), source LowCardinality(String), partition UInt16,
  events SimpleAggregateFunction(sum, UInt64), bytes SimpleAggregateFunction(sum, UInt64), upto SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree PARTITION BY toYYYYMM(quarter) ORDER BY (quarter, event_quarter, log_id, host, source, partition)`
const NOON = 1_767_268_800
const SUMS = [
  { policy: 1, log_id: 7, partition: 0, events: '5', bytes: '50', upto: '3' },
  { policy: 1, log_id: 9, partition: 1, events: '1', bytes: '10', upto: '8' },
  { policy: 4, log_id: 8, partition: 0, events: '2', bytes: '20', upto: '4' },
]
const readPolicies = () =>
  Promise.resolve(
    new Map([
      [7, 1],
      [8, 4],
    ]),
  )

let embedded: SharedStore
beforeAll(async () => {
  embedded = await openSharedStore()
})
afterAll(() => embedded.stop())
beforeEach(async () => {
  const { store } = embedded
  for (const table of ['counts', 'counts_of_policies', 'migrations'])
    await store.command({ sql: `DROP TABLE IF EXISTS ${table} SYNC` })
  await store.command({ sql: OLD })
  const rows = [
    [7, 0, 2, 1],
    [7, 0, 3, 3],
    [8, 0, 2, 4],
    [9, 1, 1, 8],
  ].map(
    ([log, partition, events = 0, upto]) =>
      `(${NOON}, ${NOON}, ${log}, 'h', 's', ${partition}, ${events}, ${events * 10}, ${upto})`,
  )
  await store.command({ sql: `INSERT INTO counts VALUES ${rows.join(', ')}` })
})

const sums = () =>
  embedded.store.query({
    sql: `SELECT policy, log_id, partition, sum(events) AS events, sum(bytes) AS bytes, max(upto) AS upto
      FROM counts GROUP BY policy, log_id, partition ORDER BY policy, log_id`,
  })
const tables = async () =>
  (await embedded.store.query<{ name: string }>({ sql: 'SHOW TABLES' })).map(({ name }) => name)

it('each log counts for its policy, and the last number of each partition stays', async () => {
  await migrateStore(embedded.store, readPolicies)
  expect(await sums()).toEqual(SUMS)
  expect(await tables()).not.toContain('counts_of_policies')
  await migrateStore(embedded.store, () => expect.fail('is done'))
  expect(await sums()).toEqual(SUMS)
})

it('goes on after a kill before the new table has its place', async () => {
  const { store } = embedded
  await store.command({ sql: 'CREATE TABLE counts_of_policies AS counts' })
  await migrateStore(store, readPolicies)
  expect(await sums()).toEqual(SUMS)
  expect(await tables()).not.toContain('counts_of_policies')
})

it('goes on after a kill when the new table has its place and the old one is left', async () => {
  const { store } = embedded
  await migrateStore(store, readPolicies)
  await store.command({ sql: OLD.replace('TABLE counts', 'TABLE counts_of_policies') })
  await store.command({ sql: 'TRUNCATE TABLE migrations' })
  await migrateStore(store, readPolicies)
  expect(await sums()).toEqual(SUMS)
  expect(await tables()).not.toContain('counts_of_policies')
})

it('rows of a writer of format 1 are refused', async () => {
  await migrateStore(embedded.store, readPolicies)
  const sql = `INSERT INTO counts (quarter, log_id, events, upto) VALUES (${NOON}, 7, 1, 9)`
  await expect(embedded.store.command({ sql })).rejects.toThrow()
  expect(await sums()).toEqual(SUMS)
})

it('a table that is gone is made again, whatever the record says', async () => {
  await migrateStore(embedded.store, readPolicies)
  await embedded.store.command({ sql: 'DROP TABLE gone SYNC' })
  await migrateStore(embedded.store, readPolicies)
  expect(await tables()).toContain('gone')
})
