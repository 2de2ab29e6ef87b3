// Cancels that reach another process than the search (decision 4.7).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../../infra/store/port.ts'
import { searchIdKey } from '../../../../query/edge/running-searches.ts'
import { ingestNumbered, OTHER, openDeliveryApp } from '../../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'
import { SOON } from '../../../support/run/patience.ts'
import { TEST_DATE_MS } from '../../../support/run/test-clock.ts'
import { waitUntil } from '../../../support/run/wait-until.ts'

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'paged', 500)
  await pipeline.db.addUser('other', 'other password')
})
afterAll(() => pipeline?.stop())

/** Storing a result takes thirty seconds. */
function slowed({ engine: { store } }: SearchPipeline): Store {
  return {
    cluster: store.cluster,
    query: (query) => store.query(query),
    stream: (query, reading) => store.stream(query, reading),
    measure: (query) => store.measure(query),
    command: (query) =>
      store.command({
        ...query,
        sql: query.sql
          .replace(
            /FROM \([\s\S]*$/,
            'FROM (SELECT sleepEachRow(0.1) AS s FROM numbers(300) SETTINGS max_block_size = 1)',
          )
          .replace(/,\s*arrayConcat[\s\S]*?\nFROM/, ', []\nFROM'),
      }),
    readPacked: (query) => store.readPacked(query),
    insertNative: (insert) => store.insertNative(insert),
    kill: (queryId) => store.kill(queryId),
    catchUp: (table) => store.catchUp(table),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}

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
    await waitUntil('a search waits', async () =>
      /logeye_searches_queued\{[^}]*\} 1\n/.test(await busy.metrics.text()),
    )
    const cancel = { widgetId: 'cancelSearch', searchId: 'waits' }
    await pipeline.db.addUser('third', 'third password')
    const third = { autoLogin: 'true', username: 'third', password: 'third password' }
    expect(await elsewhere.ask(cancel, third)).toMatchObject({
      message: '1: no running search or page token of this name: it may have ended',
    })
    expect(await elsewhere.ask(cancel, OTHER)).toMatchObject({ state: 'OK' })
    expect(await waiting).toMatchObject({ state: 'Fail', code: 4 })
    await holding.body?.cancel()
  })

  it('ends the making of a stored result, in the store too', async () => {
    const [here, elsewhere] = [
      openDeliveryApp(pipeline, {}, slowed(pipeline)),
      openDeliveryApp(pipeline),
    ]
    apps.push(here.app, elsewhere.app)
    await elsewhere.ask({ searchQuery: 'nothinglikethat' })
    const making = here.ask({ searchQuery: 'paged', paginate: 'true', searchId: 'making' })
    const countSlow = async () => {
      const [row] = await pipeline.engine.store.query<{ count: string }>({
        sql: "SELECT count() AS count FROM system.processes WHERE query LIKE 'INSERT INTO results%sleepEachRow%'",
        settings: { priority: 1 },
      })
      return Number(row?.count)
    }
    await expect.poll(countSlow, SOON).toBe(1)
    const cancel = { widgetId: 'cancelSearch', searchId: 'making' }
    expect(await elsewhere.ask(cancel)).toMatchObject({ state: 'OK' })
    expect(await making).toMatchObject({ state: 'Fail', code: 4 })
    await expect.poll(countSlow, SOON).toBe(0)
    const records = await pipeline.db.database.read
      .selectFrom('search_results')
      .selectAll()
      .execute()
    expect(records).toMatchObject([{ expires_ms: 0 }])
  })

  it('does not end a later search of the same name', async () => {
    const clock = makeManualClock(TEST_DATE_MS)
    const [here, elsewhere] = [openDeliveryApp(pipeline), openDeliveryApp(pipeline, { clock })]
    apps.push(here.app, elsewhere.app)
    const cancelling = elsewhere.ask({ widgetId: 'cancelSearch', searchId: 'later' })
    const { read } = pipeline.db.database
    const search_key = searchIdKey('later')
    await waitUntil('the cancel is recorded', async () => {
      const rows = await read.selectFrom('search_cancels').select('search_key').execute()
      return rows.some((row) => row.search_key === search_key)
    })
    expect(await here.ask({ searchQuery: 'paged', searchId: 'later' })).toMatchObject({
      state: 'OK',
    })
    clock.advance(60_000)
    expect(await cancelling).toMatchObject({ state: 'Fail', code: 1 })
  })
})
