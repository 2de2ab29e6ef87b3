// What the store of a cluster is sent, seen at a server that only answers: names, settings, what
// goes to all servers. No real cluster.
import { afterEach, describe, expect, it } from 'vitest'
import { migrateStore, migrationStatements } from '../../../infra/store/migrate.ts'
import { openStore } from '../../../infra/store/open.ts'
import { dropOldKeys } from '../../../ingest/writer/keys/key-retention.ts'
import { WORDS_DICTIONARY } from '../../../schemas/store/text-index.ts'
import type { Answer, Asked } from '../../support/store/clickhouse-double.ts'
import { openClusterStore } from '../../support/store/cluster-store.ts'
import { failureOf } from '../../support/store/store-variants.ts'

const NOW_MS = Date.parse('2026-11-21T12:00:00Z')
const CLUSTER = { name: 'logeye', database: 'logs' } as const
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const open = (answer: (asked: Asked) => Answer = () => []) => openClusterStore(ends, answer)

describe('the store of a cluster', () => {
  it('inserts a batch in the foreground, on most copies, under an id that is the same for each try', async () => {
    const { store, asked } = await open()
    const insert = { table: 'events', columns: ['host'], block: Buffer.from('x'), queryId: 'w-0-7' }
    await store.insertNative(insert)
    await store.insertNative(insert)
    for (const { sql, settings } of asked) {
      expect(sql).toContain('INSERT INTO events (`host`) FORMAT Native')
      expect(Object.fromEntries(settings)).toMatchObject({
        database: 'logs',
        distributed_foreground_insert: '1',
        insert_quorum: 'auto',
        insert_quorum_parallel: '1',
        insert_deduplicate: '1',
        insert_deduplication_token: 'w-0-7',
        load_balancing: 'in_order',
        prefer_localhost_replica: '0',
        async_insert: '0',
        priority: '1',
      })
    }
    expect(asked).toHaveLength(2)
  })

  it('asks for the words of every shard, and for queries in brackets once', async () => {
    const { store, asked } = await open()
    await store.query({ sql: `SELECT token FROM ${WORDS_DICTIONARY}` })
    expect(asked[0]?.sql).toBe(
      "SELECT token FROM cluster('logeye', mergeTreeTextIndex('logs', 'events_local', 'ix_w'))",
    )
    expect(asked[0]?.settings.get('distributed_product_mode')).toBe('global')
    expect(asked[0]?.settings.get('skip_unavailable_shards')).toBe('0')
  })

  it('kills on all servers, by the id that shards know, and only what runs', async () => {
    let running = 0
    const { store, asked } = await open(({ sql }) => {
      if (sql.startsWith('KILL')) running = 0
      return sql.startsWith('SELECT count()') ? [{ count: String(running) }] : []
    })
    await store.kill('nobody')
    expect(asked.map(({ sql }) => sql)).toEqual([
      "SELECT count() AS count FROM clusterAllReplicas('logeye', system.processes) WHERE initial_query_id = {id:String}",
      "SELECT count() AS count FROM clusterAllReplicas('logeye', system.processes) WHERE initial_query_id = {id:String}",
    ])
    running = 1
    await store.kill('somebody')
    expect(asked[3]?.sql).toBe(
      'KILL QUERY ON CLUSTER `logeye` WHERE initial_query_id = {id:String} ASYNC',
    )
    expect(asked[3]?.settings.get('param_id')).toBe('somebody')
  })

  it('brings the copies together before a look-up; one server has none', async () => {
    const { store, asked } = await open()
    await store.catchUp('counts')
    expect(asked.map(({ sql }) => sql)).toEqual([
      'SYSTEM SYNC REPLICA ON CLUSTER `logeye` `logs`.counts_local LIGHTWEIGHT',
    ])
    const alone = await openStore({ url: 'http://127.0.0.1:1', isServer: true })
    ends.push(() => alone.close())
    await alone.catchUp('counts')
  })

  it('drops what is over on all servers', async () => {
    const { store, asked } = await open(({ sql }) =>
      sql.includes('max(received)')
        ? [{ newest: String(NOW_MS) }]
        : sql.includes('system.parts')
          ? [{ day: 20261101 }]
          : [],
    )
    await dropOldKeys(store, NOW_MS)
    expect(asked[0]?.sql).toContain("FROM clusterAllReplicas('logeye', system.parts)")
    expect(asked[0]?.sql).toContain("table = 'idempotency_local'")
    expect(asked[2]?.sql).toBe(
      'ALTER TABLE idempotency_local ON CLUSTER `logeye` DROP PARTITION 20261101',
    )
  })

  it.each([
    [285, 'Number of alive replicas (1) is less than requested quorum (2/2)'],
    [319, 'Unknown status of insert'],
    [279, 'All connection tries failed'],
    [242, 'Table is in readonly mode'],
    [369, 'All replicas are stale'],
  ])(
    '%i of a cluster is a store that is away, which halves and rejects nothing',
    async (code, text) => {
      const { store } = await open(() => ({ code, text }))
      const insert = { table: 'events', columns: ['host'], block: Buffer.from('x'), queryId: 'q' }
      expect(await failureOf(store.insertNative(insert))).toBe('store.unavailable')
    },
  )

  it.each(['a b', "x'y", '1'])('of a database %j is refused', async (database) => {
    const url = `http://127.0.0.1:1/${encodeURIComponent(database)}`
    await expect(openStore({ url, clusterName: 'logeye' })).rejects.toThrow('LOGEYE_STORE_URL')
  })
})

/** Servers that have tables as far as they were made on them. */
function makeServers(count: number) {
  const had = new Set<string>()
  const numbers = new Set<number>()
  const state = { count, had, numbers, missingOn: 0 }
  const answer = ({ sql }: Asked): Answer => {
    const made = /^CREATE TABLE IF NOT EXISTS `logs`\.(\w+)/.exec(sql)?.[1]
    if (made !== undefined) {
      had.add(made)
      if (made === 'results') state.missingOn = 0
    }
    const recorded = /^INSERT INTO migrations VALUES \((\d+)\)/.exec(sql)?.[1]
    if (recorded !== undefined) numbers.add(Number(recorded))
    if (sql.startsWith('SELECT DISTINCT number')) return [...numbers].map((number) => ({ number }))
    if (sql.includes('system.tables'))
      return [{ found: String(had.size * count - state.missingOn), servers: String(count) }]
    return []
  }
  return { state, answer }
}

describe('the tables of a cluster', () => {
  it('are made in their order, each step recorded behind it, and not again', async () => {
    const { state, answer } = makeServers(2)
    const { store, asked } = await open(answer)
    await migrateStore(store)
    const made = asked.map(({ sql }) => sql).filter((sql) => !sql.startsWith('SELECT'))
    expect(made.filter((sql) => sql.startsWith('CREATE'))).toEqual(migrationStatements(CLUSTER))
    expect(
      made.map((sql) => /`logs`\.(\w+)|\((\d)\)$/.exec(sql)?.slice(1).join('')).slice(0, 5),
    ).toEqual(['migrations', '5', '8', 'events_local', 'events'])
    expect([...state.numbers]).toEqual([5, 8, 1, 2, 3, 4, 6, 7])
    const before = asked.length
    await migrateStore(store)
    const again = asked
      .slice(before)
      .map(({ sql }) => sql)
      .filter((sql) => !sql.startsWith('SELECT'))
    expect(again).toEqual(migrationStatements(CLUSTER).slice(0, 1))
  })

  it('are made again when a server that was added later has none', async () => {
    const { state, answer } = makeServers(2)
    const { store, asked } = await open(answer)
    await migrateStore(store)
    const before = asked.length
    state.missingOn = 10
    await migrateStore(store)
    const again = asked.slice(before).map(({ sql }) => sql)
    expect(again.filter((sql) => sql.startsWith('CREATE'))).toEqual(migrationStatements(CLUSTER))
  })

  it('are not used before every server that answers has them', async () => {
    const { store } = await open(({ sql }) =>
      sql.includes('system.tables') ? [{ found: '10', servers: '2' }] : [],
    )
    expect(await failureOf(migrateStore(store))).toBe('store.unavailable')
  })
})
