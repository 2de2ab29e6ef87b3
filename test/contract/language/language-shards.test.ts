// Random queries over two shards give the rows of the reference, as over one server
// (test/support/store/two-shards.ts says what this shows and what not). By hand
// LOGEYE_REFERENCE_QUERIES and LOGEYE_REFERENCE_SEED as in language-reference.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import {
  EVENT_COLUMNS,
  INTERVALS,
  SCOPES,
  WORDS,
} from '../../support/reference/random/query-columns.ts'
import { makeWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import { runCampaign } from '../../support/reference/run/campaign.ts'
import { compareAnswers } from '../../support/reference/run/compare.ts'
import { readSeed } from '../../support/run/seed.ts'
import { series } from '../../support/run/tier.ts'
import { compileText } from '../../support/store/run-compiled.ts'
import { startTwoShards } from '../../support/store/two-shards.ts'

const QUERIES = Number(process.env.LOGEYE_REFERENCE_QUERIES ?? series(8, 40))
const SEED = readSeed('LOGEYE_REFERENCE_SEED', 1)
const EVENTS = 200

const STORED = makeWorld({
  zone: 'America/New_York',
  startMs: Date.UTC(2026, 2, 7, 3),
  lengthMs: 3 * 86_400_000,
  seed: SEED,
  events: EVENTS,
  firstLogId: 100,
})

describe('two shards', () => {
  let store: Store
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ store, stop } = await startTwoShards())
    await storeWorld(store, STORED.allEvents, 0)
  })
  afterAll(() => stop?.())

  it('have half of the events each', async () => {
    const sql = 'SELECT shardNum() AS shard, count() AS n FROM events GROUP BY shard ORDER BY shard'
    expect(await store.query({ sql })).toEqual([
      { shard: 1, n: String(EVENTS / 2) },
      { shard: 2, n: String(EVENTS / 2) },
    ])
  })

  it.each([
    'time*',
    '*out',
    '*eou*',
    '"connection refused" or deadbeef*',
    'User in [ Status = 404 | display only User ]',
    'not User in [ Status = 404 | group by User | display only User ]',
    '* | count | group by User | join [ * | count | group by User ] on User = User',
    '* | count, max Status | group by User, Method | order by count desc | limit 7',
    '* | count | group by log, Method | transpose Method',
    '* | datastream | group by log | interval 1 day',
    '* | dedup User | limit 20',
    '* | order by Amount desc | percentile 90 Status',
  ])('give the rows of the reference: %s', async (text) => {
    const outcome = await compareAnswers(store, text, STORED)
    expect(outcome.kind).toBe('same')
    expect(outcome.kind === 'same' && outcome.rows).toBeGreaterThan(0)
  })

  it(`give the rows of the reference for random queries (seed ${SEED})`, async () => {
    const world = {
      stored: STORED,
      columns: EVENT_COLUMNS,
      words: WORDS,
      scopes: SCOPES,
      intervals: INTERVALS,
      transactionKeys: ['User', 'Remote IP', 'log', 'Status'],
    }
    const { failures, summary } = await runCampaign(store, [world], { seed: SEED, count: QUERIES })
    process.stdout.write(`${summary}\n`)
    expect(failures).toEqual([])
  }, 600_000)

  it('number the rows of a stored result over both', async () => {
    const { sql, params, settings } = await compileText(store, '*', STORED)
    const insert = `INSERT INTO results (result, n, row, names)
SELECT 'r', rowNumberInAllBlocks(), formatRowNoNewline('JSONCompactEachRow', *), [] FROM (${sql})`
    await store.command({ sql: insert, params, settings })
    const [found] = await store.query({
      sql: "SELECT count() AS rows, uniqExact(n) AS different, max(n) AS last FROM results WHERE result = 'r'",
    })
    const count = STORED.world.events.length
    expect(found).toEqual({ rows: `${count}`, different: `${count}`, last: `${count - 1}` })
  })
})
