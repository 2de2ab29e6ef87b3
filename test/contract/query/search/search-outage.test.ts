// Searches while their store is killed, restarted or paused: on a store that only this file uses.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ingestNumbered, openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import { readState } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import type { EmbeddedStore } from '../../../support/store/embedded-store.ts'

let pipeline: SearchPipeline<EmbeddedStore>
let app: ReturnType<typeof openDeliveryApp>

beforeAll(async () => {
  pipeline = await openSearchPipeline({ store: {} })
  await ingestNumbered(pipeline, 'paged', 50)
  app = openDeliveryApp(pipeline)
})
afterAll(() => pipeline?.stop())

it('answers 503 while the store is down, and serves pages and searches when it is back', async () => {
  const first = await app.ask({ searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 40 })
  await pipeline.engine.kill9()
  const answer = await app.search({ searchQuery: '*' })
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(await readState(answer)).toBe('503 Fail [1] 1: the store does not answer')
  await pipeline.engine.restart()
  const second = await app.ask({ token: first.token })
  const numbers = [first, second].flatMap(({ rows }) => rows.map(({ n }) => Number(n)))
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => 49 - n))
  expect(await app.ask({ searchQuery: 'paged' })).toMatchObject({ numberOfResults: 50 })
})

it('answers code 3 when a paused store exceeds the time limit', async () => {
  pipeline.engine.pause()
  try {
    expect(await app.ask({ searchQuery: '*', timeout: 300 })).toMatchObject({ code: 3 })
  } finally {
    pipeline.engine.resume()
  }
})
