// Facets at the edges of what one read can count: no column at all, and more columns and kinds of
// values than the engine groups by.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete } from '../../../../query/search-json/calls/complete.ts'
import { facets } from '../../../../query/search-json/calls/counts.ts'
import { openTestApp } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { makeJsonClient } from '../../../support/clients/json-client.ts'

const START = Date.UTC(2026, 2, 28, 10)
const COLUMNS = Array.from({ length: 20 }, (_, n) => `column${n}`)
/** A word, a number, an id and a truth value live in four places of the store. */
const VALUES = ['word', 2.5, '0af7651916cd43dd8448eb211c80319c', true]
const WINDOW = {
  start: new Date(START - 3_600_000).toISOString(),
  end: new Date(START + 3_600_000).toISOString(),
}

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const events = VALUES.map((value, n) => ({
    message: `event ${n}`,
    ...Object.fromEntries(COLUMNS.map((column) => [column, value])),
  }))
  await pipeline.ingest(events, { receivedMs: START })
  app = openTestApp(pipeline.db, pipeline.engine.store, { readArrived: pipeline.readArrived })
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const client = () =>
  makeJsonClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })

it('columns that no log has give no value, and the number of events', async () => {
  const answer = await client().ask(facets, { ...WINDOW, columns: ['nothing', 'nowhere'] })
  expect(answer.total).toBe(VALUES.length)
  expect(answer.facets).toEqual(
    ['nothing', 'nowhere'].map((column) => ({
      column,
      isKnown: false,
      values: [],
      distinct: 0,
      others: 0,
      missing: VALUES.length,
      isExact: true,
    })),
  )
})

it('completes nothing behind a column that no log has', async () => {
  const answer = await client().ask(complete, { ...WINDOW, query: 'nothing = a' })
  expect(answer.suggestions).toEqual([])
})

it('twenty columns of every kind of value are counted each', async () => {
  const answer = await client().ask(facets, { ...WINDOW, columns: COLUMNS })
  expect(answer.total).toBe(VALUES.length)
  const expected = VALUES.map((value) => ({ value: String(value), count: 1 }))
  for (const facet of answer.facets) {
    expect(facet).toMatchObject({
      isKnown: true,
      distinct: 4,
      others: 0,
      missing: 0,
      isExact: true,
    })
    expect(facet.values).toHaveLength(expected.length)
    expect(facet.values).toEqual(expect.arrayContaining(expected))
  }
})
