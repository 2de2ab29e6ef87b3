// What users may have stored of results (settings widgets.searchAPI.maxStored…), and the disk's
// reserve, over real engines: two query processes are two apps on the same engines.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FairQueue } from '../../../../infra/fair-queue.ts'
import { cleanResults } from '../../../../query/search/results/result-cleaner.ts'
import { limitedQuery, runInTurn } from '../../../../query/search/run-in-turn.ts'
import {
  ingestNumbered,
  OTHER,
  openDeliveryApp,
  withSetting,
} from '../../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../../support/apps/search-pipeline.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const ROWS = 2500
const PAGED = { searchQuery: 'paged', paginate: 'true', maxRecordsPerPage: 10 }
const COUNT = 'widgets.searchAPI.maxStoredResults'
const BYTES = 'widgets.searchAPI.maxStoredBytes'
const FULL = { state: 'Fail', code: 5, message: expect.stringContaining('stored results') }

let pipeline: SearchPipeline

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'paged', ROWS)
  await pipeline.db.addUser('other', 'other password')
})
afterAll(() => pipeline?.stop())
beforeEach(async () => {
  await pipeline.db.database.write(async (transaction) => {
    await transaction.deleteFrom('search_result_files').execute()
    await transaction.updateTable('search_results').set({ expires_ms: 0 }).execute()
  })
  await clean()
})

async function clean(): Promise<void> {
  const { database } = pipeline.db
  await cleanResults({ store: pipeline.engine.store, database, clock: testClock })
}

async function storedBytes(): Promise<number> {
  const [row] = await pipeline.engine.store.query<{ bytes: string }>({
    sql: 'SELECT sum(length(row)) AS bytes FROM results',
  })
  return Number(row?.bytes)
}

describe('the stored results of a user', () => {
  it('are no more than the setting says, at all processes together, whatever runs at once', async () => {
    const apps = [openDeliveryApp(pipeline), openDeliveryApp(pipeline)]
    await withSetting(pipeline, COUNT, '3', async () => {
      const answers = await Promise.all([...apps, ...apps, ...apps].map(({ ask }) => ask(PAGED)))
      expect(answers.filter((answer) => answer.state === 'OK')).toHaveLength(3)
      for (const answer of answers)
        if (answer.state !== 'OK')
          expect(answer).toMatchObject({ ...FULL, message: expect.stringContaining('3 results') })
    })
  })

  it('stand in nobody else’s way, nor in that of searches that store nothing', async () => {
    const { ask } = openDeliveryApp(pipeline)
    await withSetting(pipeline, COUNT, '1', async () => {
      expect(await ask(PAGED)).toMatchObject({ state: 'OK' })
      expect(await ask(PAGED)).toMatchObject(FULL)
      expect(await ask(PAGED, OTHER)).toMatchObject({ state: 'OK' })
      expect(await ask({ searchQuery: 'paged' })).toMatchObject({ state: 'OK' })
    })
  })

  it('make room at once when pages are given up or read to their end', async () => {
    const { ask } = openDeliveryApp(pipeline)
    await withSetting(pipeline, COUNT, '1', async () => {
      const first = await ask(PAGED)
      expect(await ask(PAGED)).toMatchObject(FULL)
      await ask({ widgetId: 'cancelSearch', token: first.token })
      const second = await ask({ ...PAGED, maxNumOfRecords: 10 })
      expect(second).toMatchObject({ state: 'OK', numberOfResults: 10 })
      expect(await ask({ token: second.token })).toMatchObject({ state: 'OK', token: '' })
      expect(await ask(PAGED)).toMatchObject({ state: 'OK' })
    })
  })

  it('are files, too, which nothing but their time takes away', async () => {
    const { ask, file } = openDeliveryApp(pipeline)
    const large = { searchQuery: 'paged', maxNumOfRecords: 1000 }
    await withSetting(pipeline, 'widgets.searchAPI.maxInlineBytes', '1000', () =>
      withSetting(pipeline, COUNT, '1', async () => {
        const { document } = await ask(large)
        expect(await ask(large)).toMatchObject(FULL)
        const url = /<Url>(.*)<\/Url>/.exec(document)?.[1] ?? ''
        expect((await file(url)).status).toBe(200)
      }),
    )
  })

  it('have no more bytes than the setting says, at all processes together, and none of what is refused stays', async () => {
    const apps = [openDeliveryApp(pipeline), openDeliveryApp(pipeline)]
    await apps[0]?.ask(PAGED)
    const one = await storedBytes()
    expect(one).toBeGreaterThan(50_000)
    const limit = Math.floor(one * 2.5)
    await withSetting(pipeline, BYTES, `${limit}`, async () => {
      const answers = await Promise.all([...apps, ...apps].map(({ ask }) => ask(PAGED)))
      const refused = answers.filter((answer) => answer.state !== 'OK')
      expect(refused.length).toBeGreaterThanOrEqual(3)
      for (const answer of refused)
        expect(answer).toMatchObject({
          ...FULL,
          message: expect.stringContaining(`${limit} bytes`),
        })
      await clean()
      expect(await storedBytes()).toBe(one * (1 + answers.length - refused.length))
      expect(await storedBytes()).toBeLessThanOrEqual(limit)
    })
  })

  it('count what ended half-way until its rows are gone, so that no run of failures fills the disk', async () => {
    const { ask } = openDeliveryApp(pipeline)
    await withSetting(pipeline, 'widgets.searchAPI.maxResults', '100', async () => {
      expect(await ask(PAGED)).toMatchObject({ code: 2 })
    })
    const left = await pipeline.db.database.read.selectFrom('search_results').selectAll().execute()
    expect(left).toMatchObject([{ expires_ms: 0 }])
    expect(Number(left[0]?.bytes)).toBe(await storedBytes())
    await clean()
    expect(await storedBytes()).toBe(0)
  })
})

describe('the reserve of the disk', () => {
  it('is taken by no stored result, code 5, and other searches and ingest go on', async () => {
    const full = openDeliveryApp(pipeline, { keptFreeBytes: 2 ** 52 })
    const noRoom = { state: 'Fail', code: 5, message: expect.stringContaining('disk has no room') }
    expect(await full.ask(PAGED)).toMatchObject(noRoom)
    const large = { searchQuery: 'paged', maxNumOfRecords: 1000 }
    await withSetting(pipeline, 'widgets.searchAPI.maxInlineBytes', '1000', async () => {
      expect(await full.ask(large)).toMatchObject(noRoom)
    })
    expect(await storedBytes()).toBe(0)
    expect(await full.ask({ searchQuery: 'paged' })).toMatchObject({ state: 'OK' })
    await ingestNumbered(pipeline, 'fullness', 10)
    expect(await full.ask({ searchQuery: 'fullness' })).toMatchObject({ numberOfResults: 10 })
  })

  it('is taken by nothing that a search puts aside because its memory does not hold it', async () => {
    const store = pipeline.engine.store
    const queue = new FairQueue({ maxRunning: 1, maxWaiting: 1 })
    const sql = 'SELECT count() AS count FROM (SELECT number AS k FROM numbers(4000000) GROUP BY k)'
    const group = async (keptFreeBytes: number) => {
      const clock = testClock
      const deps = { store, clock, queue, maxQueryMemoryBytes: 160_000_000, keptFreeBytes }
      const { signal } = new AbortController()
      const turn = { userId: 1, signal, deadlineMs: clock.elapsedMs() + 30_000 }
      return await runInTurn({ ...turn, queryIds: [] }, deps, () =>
        store.query(limitedQuery({ sql }, turn, deps)),
      )
    }
    expect(await group(0)).toEqual([{ count: '4000000' }])
    await expect(group(2 ** 52)).rejects.toMatchObject({ code: 'search.no_room' })
  })
})
