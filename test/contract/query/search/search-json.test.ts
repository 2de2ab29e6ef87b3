// The JSON interface over a real store: what the writer has put there, counted, paged and
// explained.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete } from '../../../../query/search-json/calls/complete.ts'
import { context } from '../../../../query/search-json/calls/context.ts'
import { histogram, overview } from '../../../../query/search-json/calls/counts.ts'
import { events } from '../../../../query/search-json/calls/events.ts'
import { explain } from '../../../../query/search-json/calls/explain.ts'
import { table } from '../../../../query/search-json/calls/table.ts'
import { openTestApp } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { makeJsonClient, readRefusal } from '../../../support/clients/json-client.ts'
import { SOON } from '../../../support/run/patience.ts'
import { countSlow, slowed } from '../../../support/store/slowed-store.ts'

const START = Date.UTC(2026, 2, 28, 10)
const HOUR = 3_600_000
const LEVELS = ['INFO', 'Info', 'WARN', 'ERROR']
const EVENTS = Array.from({ length: 600 }, (_, n) => ({
  message: `event ${n} ${n % 3 === 0 ? 'timeout' : 'fine'}`,
  // Ten at a time have the same time.
  timestamp: new Date(START + Math.floor(n / 10) * 1000 * 997).toISOString(),
  number: n,
  ...(n % 5 === 0 ? {} : { level: LEVELS[n % LEVELS.length] }),
  status: n % 7 === 0 ? '200.0' : 200 + (n % 3),
  productName: n % 2 === 0 ? 'even' : 'odd',
}))
const WINDOW = {
  start: new Date(START).toISOString(),
  end: new Date(START + 24 * HOUR).toISOString(),
}

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await pipeline.ingest(EVENTS, { receivedMs: START + HOUR })
  app = openTestApp(pipeline.db, pipeline.engine.store, { readArrived: pipeline.readArrived })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const client = () =>
  makeJsonClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })

describe('events', () => {
  it('come newest first, each once over all pages, with equal times in reverse order of arrival', async () => {
    const numbers: number[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page: Awaited<ReturnType<typeof events.run>> = await client().ask(events, {
        ...WINDOW,
        limit: 37,
        ...(cursor === null ? {} : { cursor }),
      })
      numbers.push(...page.data.map(({ columns }) => Number(columns.number)))
      cursor = page.nextCursor
      expect(page.hasMore).toBe(cursor !== null)
      pages += 1
    } while (cursor !== null)
    expect(pages).toBe(Math.ceil(600 / 37))
    expect(numbers).toEqual(Array.from({ length: 600 }, (_, n) => 599 - n))
  })
})

describe('counts', () => {
  it('are those of a naive count, by time, by value and split', async () => {
    const answer = await client().ask(overview, {
      query: 'timeout',
      ...WINDOW,
      step: '1 hour',
      columns: ['level', 'status', 'log', 'nothing', 'host'],
    })
    const found = EVENTS.filter(({ message }) => message.includes('timeout'))
    expect(answer.total).toBe(found.length)
    expect(answer.histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(found.length)
    for (const bucket of answer.histogram.buckets)
      expect(bucket.count).toBe(
        found.filter(({ timestamp }) => timestamp >= bucket.start && timestamp < bucket.end).length,
      )
    const [level, status, log, nothing] = answer.facets
    const naive = new Map<string, number>()
    for (const event of found) {
      const key = ('level' in event ? (event.level ?? '') : '').toLowerCase()
      naive.set(key, (naive.get(key) ?? 0) + 1)
    }
    const missing = naive.get('') ?? 0
    naive.delete('')
    expect(
      Object.fromEntries(
        (level?.values ?? []).map(({ value, count }) => [value.toLowerCase(), count]),
      ),
    ).toEqual(Object.fromEntries(naive))
    expect(level).toMatchObject({
      distinct: naive.size,
      missing,
      others: 0,
      isExact: true,
      isKnown: true,
    })
    expect(status?.values.map(({ value }) => value).sort()).toEqual(
      [...new Set(found.map((event) => String(event.status)))].sort(),
    )
    expect(log?.values.map(({ value }) => value).sort()).toEqual(['even', 'odd'])
    expect(nothing).toMatchObject({
      isKnown: false,
      values: [],
      distinct: 0,
      missing: found.length,
    })
  })

  it('split by a column sum up to the buckets', async () => {
    const answer = await client().ask(histogram, {
      ...WINDOW,
      step: '2 hours',
      by: 'level',
      limit: 2,
    })
    const { split } = answer
    expect(split?.series.map(({ value }) => value.toLowerCase())).toEqual(['info', 'error'])
    for (const [at, bucket] of answer.histogram.buckets.entries())
      expect(
        (split?.series ?? []).reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0) +
          (split?.others.counts[at] ?? 0),
      ).toBe(bucket.count)
  })

  it('of an open window reach from the first to the last event', async () => {
    const answer = await client().ask(histogram, { interval: 'allData', buckets: 10 })
    expect(answer.total).toBe(600)
    expect(answer.histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(600)
    expect(answer.histogram.buckets.at(0)?.count).toBeGreaterThan(0)
    expect(answer.histogram.buckets.at(-1)?.count).toBeGreaterThan(0)
  })

  it('are those of interval, bucket by bucket', async () => {
    const answer = await client().ask(histogram, { ...WINDOW, step: '7 hours' })
    const rows = await client().ask(table, { query: '* | count | interval 7 hours', ...WINDOW })
    expect(answer.histogram.buckets.map(({ count }) => String(count))).toEqual(
      rows.rows.map((row) => row[1]),
    )
  })
})

describe('context', () => {
  it('is the neighbours by exact position, over equal times', async () => {
    const page = await client().ask(events, { query: 'number = 305', ...WINDOW })
    const [event] = page.data
    const around = await client().ask(context, { event: event?.id, before: 12, after: 12 })
    const numbers = [...around.before, around.event, ...around.after].map(({ columns }) =>
      Number(columns.number),
    )
    expect(numbers).toEqual(Array.from({ length: 25 }, (_, n) => 305 - 24 + 2 * n))
  })
})

describe('explain', () => {
  it('names what is not known and what is silent', async () => {
    const explained = await client().ask(explain, { query: 'levle = ERROR in log.even', ...WINDOW })
    expect(explained.columns).toEqual([{ name: 'levle', isKnown: false, nearest: 'level' }])
    expect(explained.reasons.map(({ code }) => code)).toEqual(['unknown_column', 'empty_part'])
  })
})

describe('complete', () => {
  it('suggests values by how often they stand, columns and logs', async () => {
    const ask = (query: string) => client().ask(complete, { query, ...WINDOW })
    expect(await ask('fine level = ')).toMatchObject({
      from: 13,
      suggestions: [{ text: expect.stringMatching(/^info$/i), kind: 'value' }, {}, {}],
    })
    expect((await ask('level = er')).suggestions).toEqual([
      {
        text: 'ERROR',
        kind: 'value',
        count: EVENTS.filter((event) => 'level' in event && event.level === 'ERROR').length,
      },
    ])
    expect((await ask('* in log.o')).suggestions).toEqual([
      { text: 'odd', kind: 'log', count: null },
    ])
    expect((await ask('timestamp > now - 1')).suggestions).toMatchObject([
      { text: 'now - 15m', kind: 'word', count: null },
      { text: 'now - 1h' },
    ])
    expect((await ask('raw = ')).suggestions).toEqual([])
  })
})

describe('a call', () => {
  it('that is left, cancelled or out of time is let go by the store', async () => {
    const slow = openTestApp(pipeline.db, slowed(pipeline.engine.store), {
      readArrived: pipeline.readArrived,
    })
    const user = { name: 'admin', password: pipeline.db.adminPassword }
    const calls = makeJsonClient(slow.call, user)
    const stop = new AbortController()
    const left = calls.post('facets', {}, { signal: stop.signal })
    await untilRunning(1)
    stop.abort()
    expect(await readRefusal(await left)).toMatchObject({ code: 'cancelled' })
    await untilRunning(0)

    const named = calls.post('histogram', { searchId: 'mine' })
    await untilRunning(1)
    const cancelled = await slow.search({ widgetId: 'cancelSearch', searchId: 'mine' })
    expect(await cancelled.text()).toContain('state="OK"')
    expect(await readRefusal(await named)).toMatchObject({ code: 'cancelled' })
    await untilRunning(0)

    expect(await calls.refusal('events', { timeout: 300 })).toMatchObject({ code: 'timeout' })
    await untilRunning(0)
    await slow.app.stop()
  })
})

const untilRunning = (count: number) =>
  expect.poll(() => countSlow(pipeline.engine.store), SOON).toBe(count)

describe('tail', () => {
  it('tells each event once', async () => {
    const tail = await client().tail('late')
    await pipeline.ingest([{ message: 'late one', timestamp: '2026-01-01T00:00:00Z' }])
    await tail.until(1)
    expect(tail.events.map(({ message }) => message)).toEqual(['late one'])
    tail.close()
  })
})
