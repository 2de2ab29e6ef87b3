// HEAD over sockets: the headers of GET, and nothing is left running.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ingestNumbered, openDeliveryApp, withSetting } from '../../support/apps/delivery-app.ts'
import { describeEngines, url, useServers } from '../../support/apps/http-server.ts'
import { SEARCH_PATH } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'

useServers()

const ROWS = 3000
/** More than there are places for exports (2) or for a user's tails (1). */
const CALLS = 4

let pipeline: SearchPipeline
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, `headed${' wide'.repeat(100)}`, ROWS)
})
afterAll(() => pipeline?.stop())

describeEngines('HEAD', ({ open }) => {
  async function start() {
    const { app, asAdmin, ask, metrics } = openDeliveryApp(pipeline, { search: { maxTails: 4 } })
    const server = await open({ fetch: (request, client) => app.fetch(request, client) })
    const send = (method: string, path: string, fields: Record<string, string>) =>
      fetch(url(server, `${path}?${new URLSearchParams({ ...fields, ...asAdmin })}`), {
        method,
        headers: { 'accept-encoding': 'identity' },
        signal: AbortSignal.timeout(15_000),
      })
    const gauge = async (name: string) =>
      (await metrics.text())
        .split('\n')
        .find((line) => line.startsWith(`${name}{`))
        ?.split(' ')[1]
    return { app, ask, send, gauge }
  }

  it('of an export gives its places back', async () => {
    const { app, send, gauge } = await start()
    const fields = {
      ...{ widgetId: 'searchAPI', searchQuery: 'headed', fixedInterval: 'allData' },
      resultFormat: 'json',
    }
    for (let calls = 0; calls < CALLS; calls++) {
      const answer = await send('HEAD', SEARCH_PATH, fields)
      const type = answer.headers.get('content-type')
      expect([answer.status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
      expect(await answer.text()).toBe('')
    }
    const lines = (await (await send('GET', SEARCH_PATH, fields)).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(ROWS)
    await expect.poll(() => gauge('logeye_searches_running')).toBe('0')
    await app.stop()
  })

  it('of a result file ends its reading', async () => {
    const { app, ask, send, gauge } = await start()
    const fields = { searchQuery: 'headed', maxNumOfRecords: ROWS, resultFormat: 'csv' }
    const { document } = await withSetting(
      ...([pipeline, 'widgets.searchAPI.maxInlineBytes', '1000'] as const),
      () => ask(fields),
    )
    const { pathname } = new URL(/<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '')
    for (let calls = 0; calls < CALLS; calls++) {
      const answer = await send('HEAD', pathname, {})
      expect([answer.status, await answer.text()]).toEqual([200, ''])
    }
    const text = await (await send('GET', pathname, {})).text()
    expect(text.trimEnd().split('\n')).toHaveLength(ROWS + 1)
    await expect.poll(() => gauge('logeye_searches_running')).toBe('0')
    await app.stop()
    const audited = await pipeline.db.database.read
      .selectFrom('audit')
      .select('result')
      .where('action', '=', 'search.file')
      .execute()
    // Each has an end, the one that was read whole a good one.
    const ends = audited.map(({ result }) => result).slice(-CALLS - 1)
    const cancelled = Array.from({ length: CALLS }, () => 'search.cancelled')
    expect(ends).toEqual([...cancelled, 'done'])
  })

  it('of a tail gives its place back', async () => {
    const { app, send, gauge } = await start()
    for (let calls = 0; calls < CALLS; calls++) {
      const answer = await send('HEAD', '/logeye/api/search/tail', { query: 'headed' })
      expect([answer.status, await answer.text()]).toEqual([200, ''])
    }
    expect(await gauge('logeye_tails_open')).toBe('0')
    await app.stop()
  })
})
