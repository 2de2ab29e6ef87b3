// The statements that make the tables, of one server and of a cluster, as a file: what it says is
// what operators grant rights for, and read. LOGEYE_WRITE_CASES=1 writes it anew: read every
// difference. That a server takes those of a cluster is not shown here: only that its parser, and
// for what runs in one process its engine, do (docs/reference/engines.md).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrationStatements } from '../../../infra/store/migrate.ts'
import {
  localName,
  onCluster,
  systemTable,
  withWordsOfAll,
} from '../../../schemas/store/cluster.ts'
import { WORDS_DICTIONARY } from '../../../schemas/store/text-index.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'

const IS_WRITTEN = process.env.LOGEYE_WRITE_CASES === '1'
const FILE = join(import.meta.dirname, '../../cases/store/tables.sql')
const CLUSTER = { name: 'logeye', database: 'logs' } as const
const SINGLE = migrationStatements(undefined)
const SPREAD = migrationStatements(CLUSTER)

const OTHERS = [
  `KILL QUERY${onCluster(CLUSTER)} WHERE initial_query_id = {id:String} ASYNC`,
  `SELECT count() FROM ${systemTable('processes', CLUSTER)} WHERE initial_query_id = {id:String}`,
  `SYSTEM SYNC REPLICA${onCluster(CLUSTER)} \`logs\`.events_local LIGHTWEIGHT`,
  `ALTER TABLE ${localName('results', CLUSTER)}${onCluster(CLUSTER)} DROP PARTITION {result:String}`,
  withWordsOfAll(`SELECT token FROM ${WORDS_DICTIONARY} WHERE startsWith(token, 'a')`, CLUSTER),
]

let embedded: SharedStore
beforeAll(async () => {
  embedded = await openSharedStore({ shouldMigrate: false })
})
afterAll(() => embedded.stop())

describe('the statements that make the tables', () => {
  it('are those of the file', () => {
    const text = [
      '-- One server, and the embedded engine.',
      ...SINGLE.map((sql) => `${sql};`),
      '',
      '-- A cluster: LOGEYE_STORE_CLUSTER=logeye, database logs.',
      ...SPREAD.map((sql) => `${sql};`),
      '',
    ].join('\n')
    if (IS_WRITTEN) writeFileSync(FILE, text)
    expect(text).toBe(readFileSync(FILE, 'utf8'))
  })

  it.each([...SINGLE, ...SPREAD, ...OTHERS])('are understood by the engine: %.90s', async (sql) => {
    const [row] = await embedded.store.query<{ text: string }>({
      sql: 'SELECT formatQuery({sql:String}) AS text',
      params: { sql },
    })
    expect(row?.text).toMatch(/^(?:CREATE TABLE|KILL QUERY|SELECT|SYSTEM SYNC|ALTER TABLE)/)
  })

  it('of a cluster and of one server have the same columns, indexes and keys', () => {
    const shape = (sql: string) =>
      sql
        .replace(/^[^(]*\(/, '(')
        .replace(/ENGINE = .*?MergeTree(?:\([^)]*\))?/, '')
        .split('\nSETTINGS')[0]
    const own = SPREAD.filter((sql) => !sql.includes('ENGINE = Distributed'))
    expect(own.map(shape)).toEqual(SINGLE.map(shape))
  })

  it('put every partition of the event log on one shard, and read and drop the same tables', () => {
    const spread = SPREAD.filter((sql) => sql.includes('ENGINE = Distributed'))
    expect(spread.map((sql) => /Distributed\((.*)\)$/.exec(sql)?.[1])).toEqual([
      "'logeye', 'logs', 'events_local', partition",
      "'logeye', 'logs', 'counts_local', partition",
      "'logeye', 'logs', 'idempotency_local', partition",
      "'logeye', 'logs', 'results_local', sipHash64(result)",
      "'logeye', 'logs', 'archived_local', partition",
    ])
  })

  it('name a path of their own for each shard, and one for all servers', () => {
    const paths = SPREAD.flatMap((sql) => /Replicated\w+\((.*?)\)/.exec(sql)?.[1] ?? [])
    expect(paths).toEqual([
      "'/clickhouse/logeye/logeye/logs/all/migrations', '{shard}-{replica}'",
      "'/clickhouse/logeye/logeye/logs/{shard}/events', '{replica}'",
      "'/clickhouse/logeye/logeye/logs/{shard}/counts-2', '{replica}'",
      "'/clickhouse/logeye/logeye/logs/{shard}/idempotency', '{replica}'",
      "'/clickhouse/logeye/logeye/logs/all/gone', '{shard}-{replica}'",
    ])
  })
})
