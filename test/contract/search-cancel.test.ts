// Cancels that reach another process than the search (decision 4.7).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../infra/clock.ts'
import { ingestNumbered, OTHER, openDeliveryApp } from '../support/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../support/search-pipeline.ts'

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'paged', 500)
  await pipeline.db.addUser('other', 'other password')
})
afterAll(() => pipeline?.stop())

describe('cancelling', () => {
  const apps: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.stop()))
  })

  it('reaches a search that waits for its turn in another process, and only that of its user', async () => {
    const [busy, elsewhere] = [
      openDeliveryApp(pipeline, { search: { maxConcurrent: 1 } }),
      openDeliveryApp(pipeline),
    ]
    apps.push(busy.app, elsewhere.app)
    // An export that nobody takes holds the only place.
    const holding = await busy.search({ searchQuery: 'paged', resultFormat: 'json' })
    const waiting = busy.ask({ searchQuery: 'paged', searchId: 'waits' }, OTHER)
    await systemClock.sleep(100)
    const cancel = { widgetId: 'cancelSearch', searchId: 'waits' }
    await pipeline.db.addUser('third', 'third password').catch(() => undefined)
    const third = { autoLogin: 'true', username: 'third', password: 'third password' }
    expect(await elsewhere.ask(cancel, third)).toMatchObject({ message: '1: no such search' })
    // Signed in already: the hash of a password takes its time.
    await elsewhere.ask({ searchQuery: 'nothinglikethat' }, OTHER)
    const startedMs = performance.now()
    expect(await elsewhere.ask(cancel, OTHER)).toMatchObject({ state: 'OK' })
    expect(await waiting).toMatchObject({ state: 'Fail', code: 4 })
    expect(performance.now() - startedMs).toBeLessThan(1000)
    await holding.body?.cancel()
  })

  it('does not end a later search of the same name', async () => {
    const [here, elsewhere] = [openDeliveryApp(pipeline), openDeliveryApp(pipeline)]
    apps.push(here.app, elsewhere.app)
    const cancel = { widgetId: 'cancelSearch', searchId: 'later' }
    await Promise.all([
      elsewhere.ask(cancel),
      systemClock.sleep(100).then(async () => {
        expect(await here.ask({ searchQuery: 'paged', searchId: 'later' })).toMatchObject({
          state: 'OK',
        })
      }),
    ])
  })
})
