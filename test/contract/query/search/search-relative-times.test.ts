// Times told from now over a real store: the same text in the call, in a query and in the JSON
// interface finds the same events, and one call may have a zone of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { events } from '../../../../query/search-json/calls/events.ts'
import { table } from '../../../../query/search-json/calls/table.ts'
import { openTestApp, readState } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../../support/clients/json-client.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** By age in minutes; none is near an edge that is asked for. */
const AGES = [10, 50, 90, 200, 26 * 60, 50 * 60]

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
let nowMs: number

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  // Midnight of UTC is a quarter to six in Kathmandu: what is young is of today there, whenever
  // the test runs.
  nowMs = Math.floor(testClock.nowMs() / DAY) * DAY
  const sent = AGES.map((age) => ({
    message: `aged ${age}`,
    age,
    timestamp: new Date(nowMs - age * MINUTE).toISOString(),
  }))
  await pipeline.ingest(sent, { receivedMs: nowMs })
  app = openTestApp(pipeline.db, pipeline.engine.store, {
    ...{ readArrived: pipeline.readArrived, clock: { ...testClock, nowMs: () => nowMs } },
  })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const client = () =>
  makeJsonClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })

async function searched(query: string, given: Record<string, string>): Promise<number[]> {
  const fields = { searchQuery: `${query} | list age`, resultFormat: 'json', ...given }
  const text = await (await app.search(fields)).text()
  return Array.from(text.matchAll(/"age":"?(\d+)/g), ([, age]) => Number(age))
}

describe('the same text finds the same events', () => {
  it.each([
    ['-1h', 'in last 1 hour', [10, 50]],
    ['-2h', 'in last 2 hours', [10, 50, 90]],
    ['now-300m', 'timestamp >= now - 300 minutes', [10, 50, 90, 200]],
    ['-PT27H', 'timestamp > -27h', [10, 50, 90, 200, 26 * 60]],
    ['-1M', 'in last month', AGES],
  ])('%s', async (text, filter, expected) => {
    expect(await searched('aged', { startTime: text })).toEqual(expected)
    expect(await searched(`aged ${filter}`, { fixedInterval: 'allData' })).toEqual(expected)
    const found = await client().ask(events, { query: 'aged', start: text })
    expect(found.data.map(({ columns }) => Number(columns.age))).toEqual(expected)
  })

  it('with an end', async () => {
    const given = { startTime: '-4h', endTime: 'now-30m' }
    expect(await searched('aged', given)).toEqual([50, 90, 200])
    const query = 'aged timestamp between now - 4h and now - 30m'
    expect(await searched(query, { fixedInterval: 'allData' })).toEqual([50, 90, 200])
  })

  it('over all pages of a cursor', async () => {
    const ages: number[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof events.run>> = await client().ask(events, {
        query: 'aged in last 4 hours',
        interval: 'allData',
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      })
      ages.push(...page.data.map(({ columns }) => Number(columns.age)))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(ages).toEqual([10, 50, 90, 200])
  })
})

describe('the zone of one call', () => {
  const KATHMANDU_MS = (5 * 60 + 45) * MINUTE
  const printed = (age: number) =>
    new Date(nowMs - age * MINUTE + KATHMANDU_MS).toISOString().slice(11, 19)

  it('prints times and reads them, in every page', async () => {
    const query = 'aged in last 2 hours | list timestamp'
    const given = { fixedInterval: 'allData', timeZone: 'Asia/Kathmandu', resultFormat: 'csv' }
    const whole = await (await app.search({ searchQuery: query, ...given })).text()
    for (const age of [10, 50, 90]) expect(whole).toContain(printed(age))
    const paging = { paginate: 'true', maxRecordsPerPage: '1' }
    let text = await (await app.search({ searchQuery: query, ...given, ...paging })).text()
    for (const age of [10, 50, 90]) {
      expect(text).toContain(printed(age))
      const token = /token="([^"]*)"/.exec(text)?.[1] ?? ''
      text = await (await app.search({ token, resultFormat: 'csv' })).text()
    }
    const rows = await client().ask(table, { query, start: '-2h', timeZone: 'Asia/Kathmandu' })
    expect(JSON.stringify(rows)).toContain(printed(50))
  })

  it('cuts intervals', async () => {
    const query = 'aged | count | interval 1 day'
    const given = { startTime: '@d', resultFormat: 'json', timeZone: 'Asia/Kathmandu' }
    const text = await (await app.search({ searchQuery: query, ...given })).text()
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(text).toContain('00:00:00')
  })
})

describe('a call is refused', () => {
  it.each([
    [{ startTime: '-1h', fixedInterval: 'allData' }, 'startTime: not together with fixedInterval'],
    [{ endTime: 'now' }, 'startTime: missing beside endTime'],
    [
      { startTime: '-1h', timeZone: 'Mars/Olympus' },
      'timeZone: unknown time zone; write a name, for example Europe/Berlin or UTC',
    ],
  ])('%j', async (given, reason) => {
    const state = await readState(await app.search({ searchQuery: '*', ...given }))
    expect(state).toContain(`1: ${reason}`)
  })

  it('of the JSON interface', async () => {
    expect(await client().refusal('events', { start: '-1x' })).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'start',
    })
    expect(await client().refusal('events', { timeZone: 'Mars/Olympus' })).toMatchObject({
      parameter: 'timeZone',
    })
    expect(await client().refusal('events', { start: '2026-01-01' })).toMatchObject({
      parameter: 'end',
    })
  })
})
