// Regular expressions of users: none may hold a thread of the store, which does not look for a
// cancel within a text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'

describe('a regular expression', () => {
  let pipeline: SearchPipeline
  beforeAll(async () => {
    pipeline = await openSearchPipeline()
  })
  afterAll(() => pipeline.stop())

  it('takes a time of the length of its text, however often it is asked', async () => {
    const message = `linear ${'a'.repeat(400_000)}`
    await pipeline.ingest(Array.from({ length: 10 }, () => ({ message })))
    const { ask, app } = openDeliveryApp(pipeline)
    // Each another query, so that the engine has no answer to any of them.
    for (let n = 0; n < 6; n += 1) {
      const searchQuery = `linear AND message matches "a[ab]*x?[cd]" AND NOT none${n} | count`
      expect(await ask({ searchQuery, timeout: 10_000 })).toMatchObject({
        state: 'OK',
        rows: [{ count: '0' }],
      })
    }
    await app.stop()
  })
})
