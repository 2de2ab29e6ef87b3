// Shapes of messages over a real store: what is one shape, how often, since when, and that its
// query finds its events and no others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { events } from '../../../../query/search-json/calls/events.ts'
import { shapes } from '../../../../query/search-json/calls/shapes.ts'
import { openTestApp } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../../support/clients/json-client.ts'

const START = Date.UTC(2026, 2, 28, 10)
const HOUR_MS = 3_600_000
const NOW = {
  start: new Date(START).toISOString(),
  end: new Date(START + HOUR_MS).toISOString(),
}

/** Shape, and messages of it. */
const KINDS: readonly (readonly [string, readonly string[]])[] = [
  [
    'order <number> took <number>ms',
    ['order 1 took 12ms', 'order 77 took 3ms', 'order 8 took 9ms'],
  ],
  ['trace <id> of sess_<id>', ['trace 9f3kz81q of sess_a1b2c3', 'trace a1b2 of sess_7x8y9z']],
  [
    'user <id> came from <number>',
    [
      'user 0e3a1a54-93c1-4e9d-8f3e-0c5f2b7a9d11 came from 10.0.0.1:8080',
      'user 11111111-2222-3333-4444-5555555555aa came from 192.168.1.20:1',
    ],
  ],
  [
    'wrote <path> at <time>',
    ['wrote /var/log/a.log at 2026-03-28T10:00:00.1Z', 'wrote /srv/x/ at 2026-03-28 10:00:00'],
  ],
  ['{"code":<number>,"name":<text>}', ['{"code":1,"name":"a \\" b"}', '{"code":22,"name":""}']],
  [
    "can't and won't: <text> of <mail>",
    ["can't and won't: 'this' of a@b.org", "can't and won't: 'that one' of x.y@z.example.com"],
  ],
  ['core at <hex>', ['core at 0xdeadBEEF', 'core at deadbeefcafe']],
  ['[x] (a|b)* $^ \\d', ['[x] (a|b)* $^ \\d']],
]
const OLD = new Set(['order <number> took <number>ms', 'core at <hex>'])

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const at = (message: string, offsetMs: number) => ({
    message,
    timestamp: new Date(START + offsetMs).toISOString(),
  })
  const now = KINDS.flatMap(([, messages]) => messages.map((text, n) => at(text, 60_000 * (n + 1))))
  const before = KINDS.filter(([shape]) => OLD.has(shape)).flatMap(([, messages]) =>
    messages.map((text) => at(text, -60_000)),
  )
  const long = [1, 2].map((n) => at(`long ${n} ${'x'.repeat(2000)} ${n}`, 120_000))
  await pipeline.ingest([...now, ...before, ...long], { receivedMs: START + HOUR_MS })
  app = openTestApp(pipeline.db, pipeline.engine.store, { readArrived: pipeline.readArrived })
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
})

const client = () =>
  makeJsonClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })

describe('shapes', () => {
  it('are counted over all events, with first, last and the time before', async () => {
    const answer = await client().ask(shapes, NOW)
    const found = answer.shapes.map(({ shape, count }) => [shape, count])
    const wanted = KINDS.map(([shape, messages]) => [shape, messages.length])
    expect(found.filter(([shape]) => !String(shape).startsWith('long')).toSorted()).toEqual(
      wanted.toSorted(),
    )
    expect(answer).toMatchObject({ total: 18, read: 18, distinct: 9, isExact: true, others: 0 })
    const orders = answer.shapes[0]
    expect(orders).toMatchObject({
      ...{ count: 3, before: 3, isNew: false, example: 'order 8 took 9ms', share: 3 / 18 },
      first: new Date(START + 60_000).toISOString(),
      last: new Date(START + 180_000).toISOString(),
    })
    const fresh = answer.shapes.filter(({ isNew }) => isNew).length
    expect(fresh).toBe(9 - OLD.size)
    expect(answer.before).toMatchObject({
      ...{ start: new Date(START - HOUR_MS).toISOString(), end: NOW.start, isExact: true },
    })
  })

  it('have a query each that finds their events and no others', async () => {
    const { shapes: all } = await client().ask(shapes, NOW)
    expect(all.length).toBe(9)
    const messages = new Map(KINDS)
    for (const { shape, count, query } of all) {
      const { data } = await client().ask(events, { ...NOW, query: query ?? 'nothing' })
      const found = data.map(({ message }) => message).toSorted()
      expect([shape, found.length]).toEqual([shape, count])
      expect(found).toEqual(messages.get(shape)?.toSorted() ?? found)
    }
  })

  it('tell of the new ones, however rare, and of the rest', async () => {
    const { shapes: some, others } = await client().ask(shapes, { ...NOW, limit: 1 })
    // The most frequent, and the most frequent of the new.
    expect(some.map(({ isNew }) => isNew)).toEqual([false, true])
    expect(others).toBe(18 - some.reduce((sum, { count }) => sum + count, 0))
  })

  it('are cut where a message is long', async () => {
    const { shapes: all } = await client().ask(shapes, { ...NOW, query: 'long' })
    const [one] = all
    expect(all.length).toBe(1)
    expect(one?.shape).toMatch(/^long <number> x+…$/)
    expect(one?.example.length).toBeLessThan(700)
  })

  it('of an open window, or unasked, say nothing of the time before', async () => {
    const open = await client().ask(shapes, { interval: 'allData' })
    expect(open).toMatchObject({ total: 23, before: null })
    expect(open.shapes.every(({ isNew, before }) => isNew === null && before === null)).toBe(true)
    expect((await client().ask(shapes, { ...NOW, isCompared: false })).before).toBeNull()
  })

  it('of nothing are none', async () => {
    const none = await client().ask(shapes, { ...NOW, query: 'nowhere' })
    expect(none).toMatchObject({ total: 0, distinct: 0, shapes: [], others: 0, isExact: true })
  })
})
