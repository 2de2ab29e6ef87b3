// Pages of a search (decision 4.6) over real engines: two query processes are two apps on the same
// engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../../../infra/clock.ts'
import { setViewers } from '../../../../infra/metastore/rights/node-permissions.ts'
import {
  type DeliveryApp,
  ingestNumbered,
  OTHER,
  openDeliveryApp,
  withSetting,
} from '../../../support/apps/delivery-app.ts'
import type { Fields } from '../../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const ROWS = 2500
const TOKEN = /^[A-Za-z0-9_-]{32}$/

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'paged', ROWS)
  await pipeline.db.addUser('other', 'other password')
})
afterAll(() => pipeline?.stop())

/** Pages from the token on, up to the empty one. */
async function readPages(token: string, ask: DeliveryApp['ask'], more: Fields = {}) {
  const pages: Awaited<ReturnType<typeof ask>>[] = []
  for (let next = token; next !== '' && pages.length < 1000; ) {
    const page = await ask({ token: next, ...more })
    pages.push(page)
    if (page.state !== 'OK') break
    next = page.token
  }
  return pages
}

describe('pages', () => {
  it('give every row once, in order, from one snapshot, at whichever process, and end with an empty page', async () => {
    const [here, elsewhere] = [openDeliveryApp(pipeline), openDeliveryApp(pipeline)]
    const first = await here.ask({ searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 400 })
    expect(first).toMatchObject({ state: 'OK', numberOfResults: ROWS })
    expect(first.token).toMatch(TOKEN)
    await ingestNumbered(pipeline, 'paged', 50)
    const second = await elsewhere.ask({ token: first.token })
    const rest = await readPages(first.token, here.ask)
    const pages = [first, second, ...rest]
    expect(pages.map((page) => page.rows.length)).toEqual([400, 400, 400, 400, 400, 400, 100, 0])
    expect(pages.map((page) => page.token === first.token)).toEqual([
      ...Array.from({ length: 7 }, () => true),
      false,
    ])
    for (const page of pages) expect(page.numberOfResults).toBe(ROWS)
    const numbers = pages.flatMap((page) => page.rows.map((row) => Number(row.n)))
    expect(numbers).toEqual(Array.from({ length: ROWS }, (_, n) => ROWS - 1 - n))
    expect(pages.at(-1)).toMatchObject({ token: '', rows: [] })
    expect(await here.ask({ token: first.token })).toMatchObject({
      code: 1,
      message: '1: token: unknown or expired, or another call reads its page now',
    })
  })

  it('have the columns and the page size of the first call, whatever a later one says', async () => {
    await pipeline.ingest([
      { message: 'columned one', a: 1, timestamp: '2026-11-10T10:00:02Z' },
      { message: 'columned two', b: '', timestamp: '2026-11-10T10:00:01Z' },
      { message: 'columned three', c: 3, timestamp: '2026-11-10T10:00:00Z' },
    ])
    const { ask } = openDeliveryApp(pipeline)
    const first = await ask({
      searchQuery: 'columned',
      paginate: 'true',
      maxRecordsPerPage: 2,
      resultFormat: 'csv',
    })
    expect(first.columns.slice(5)).toEqual(['message', 'a', 'c'])
    const again = { paginate: 'true', maxRecordsPerPage: 1, searchQuery: 'other' }
    await withSetting(pipeline, 'system.dateFormat', 'yyyy-MM-dd HH:mm:ss', async () => {
      const second = await ask({ token: first.token, resultFormat: 'csv', ...again })
      expect(second.columns).toEqual(first.columns)
      expect(second.rows).toMatchObject([{ message: 'columned three', c: '3' }])
      expect(second.rows[0]?.timestamp).toMatch(/^11\/10\/2026 /)
    })
    const last = await ask({ token: first.token, resultFormat: 'csv' })
    expect([last.columns, last.rows, last.token]).toEqual([first.columns, [], ''])
  })

  it('come of summary tables, too, in their order', async () => {
    const { ask } = openDeliveryApp(pipeline)
    const first = await ask({
      searchQuery: 'paged n < 2500 | count as Hits | group by n',
      paginate: 'true',
      maxRecordsPerPage: 1000,
    })
    const pages = [first, ...(await readPages(first.token, ask))]
    const whole = await ask({
      searchQuery: 'paged n < 2500 | count as Hits | group by n',
      maxNumOfRecords: 10_000,
    })
    expect(pages.flatMap((page) => page.rows)).toEqual(whole.rows)
    expect(pages.map((page) => page.rows.length)).toEqual([1000, 1000, 500, 0])
  })

  it('are no more than maxNumOfRecords, and one page has its token too', async () => {
    const { ask } = openDeliveryApp(pipeline)
    const paged = { searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 100 }
    const first = await ask({ ...paged, maxNumOfRecords: 30 })
    expect(first).toMatchObject({ numberOfResults: 30, token: expect.stringMatching(TOKEN) })
    expect(first.rows).toHaveLength(30)
    expect(await ask({ token: first.token })).toMatchObject({ state: 'OK', rows: [], token: '' })
    const none = await ask({ ...paged, searchQuery: 'nothinglikethat' })
    expect(none).toMatchObject({ state: 'OK', numberOfResults: 0, rows: [] })
  })

  it('are for their own user only', async () => {
    const { ask } = openDeliveryApp(pipeline)
    const first = await ask({ searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 10 })
    expect(await ask({ token: first.token }, OTHER)).toMatchObject({ state: 'Fail', code: 1 })
    expect(await ask({ token: first.token })).toMatchObject({ state: 'OK' })
    const others = await ask(
      { searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 10 },
      OTHER,
    )
    // Also not for an administrator, who may see everything.
    expect(await ask({ token: others.token })).toMatchObject({ state: 'Fail', code: 1 })
    expect(await ask({ token: others.token }, OTHER)).toMatchObject({ state: 'OK' })
  })

  it('end for who has lost the right to a log that he could see', async () => {
    await pipeline.ingest([{ message: 'shut', productName: 'shut log' }])
    const { ask } = openDeliveryApp(pipeline)
    const paged = { searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 10 }
    const first = await ask(paged, OTHER)
    const second = await ask({ token: first.token }, OTHER)
    expect(second.rows).toHaveLength(10)
    await pipeline.db.database.write((transaction) =>
      setViewers(
        transaction,
        { kind: 'log', levels: ['Events', 'shut log'] },
        { groups: [], users: [] },
      ),
    )
    await pipeline.db.metastore.refresh()
    expect(await ask({ token: first.token }, OTHER)).toMatchObject({ state: 'Fail', code: 1 })
  })

  it('refuse a second call at the same time, and no page is lost by it', async () => {
    const { ask } = openDeliveryApp(pipeline)
    const first = await ask({ searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 1000 })
    const both = await Promise.all([ask({ token: first.token }), ask({ token: first.token })])
    expect(both.map((page) => page.state).sort()).toEqual(['Fail', 'OK'])
    const rest = await readPages(first.token, ask)
    const read = [first, ...both, ...rest].flatMap((page) => page.rows)
    expect(new Set(read.map((row) => `${row.message} ${row.timestamp}`)).size).toBe(read.length)
    expect(read).toHaveLength(first.numberOfResults)
  })

  it('are for ten minutes after their last use', async () => {
    const moved = { ms: 0 }
    const clock: Clock = { ...testClock, nowMs: () => testClock.nowMs() + moved.ms }
    const { ask } = openDeliveryApp(pipeline, { clock })
    const first = await ask({ searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 10 })
    for (const minutes of [9, 18]) {
      moved.ms = minutes * 60_000
      expect(await ask({ token: first.token })).toMatchObject({ state: 'OK' })
    }
    moved.ms = 28.1 * 60_000
    expect(await ask({ token: first.token })).toMatchObject({ state: 'Fail', code: 1 })
  })

  it('are code 2 beyond the limit of rows, and code 1 when the store has lost rows', async () => {
    const { ask } = openDeliveryApp(pipeline)
    const paged = { searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 1000 }
    await withSetting(pipeline, 'widgets.searchAPI.maxResults', '2000', async () => {
      expect(await ask(paged)).toMatchObject({
        code: 2,
        message: '2: the search gives more than 2000 results',
      })
    })
    expect(await ask({ ...paged, abortOn: 100 })).toMatchObject({ code: 2 })
    const first = await ask(paged)
    await pipeline.engine.store.command({ sql: 'TRUNCATE TABLE results' })
    expect(await ask({ token: first.token })).toMatchObject({
      code: 1,
      message: '1: the stored result is gone, search again',
    })
  })

  it('are given up by a cancel of their token, which others may not', async () => {
    const { ask } = openDeliveryApp(pipeline)
    const first = await ask({ searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 10 })
    const cancel = { widgetId: 'cancelSearch', token: first.token }
    expect(await ask(cancel, OTHER)).toMatchObject({
      message: '1: no running search or page token of this name: it may have ended',
    })
    expect(await ask({ token: first.token })).toMatchObject({ state: 'OK' })
    expect(await ask(cancel)).toMatchObject({ state: 'OK', numberOfResults: 0 })
    expect(await ask({ token: first.token })).toMatchObject({ state: 'Fail', code: 1 })
    expect(await ask(cancel)).toMatchObject({
      message: '1: no running search or page token of this name: it may have ended',
    })
  })
})
