// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the form of a variable
// Apps and dashboards over their calls, on a real store: what is saved is read, and widgets have
// the rows of their queries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { basic } from '../../support/clients/access-client.ts'
import {
  type DashboardClient,
  makeDashboardClient,
} from '../../support/clients/dashboard-client.ts'
import { testClock } from '../../support/run/test-clock.ts'

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
let admin: DashboardClient

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  app = openTestApp(pipeline.db, pipeline.engine.store)
  admin = makeDashboardClient(app, basic('admin', pipeline.db.adminPassword))
  const now = testClock.nowMs()
  await pipeline.ingest(
    Array.from({ length: 60 }, (_, n) => ({
      timestamp: new Date(now - n * 60_000).toISOString(),
      message: `request ${n}`,
      status: n % 3 === 0 ? 500 : 200,
      city: ['Athens "A"', 'Berlin', 'Łódź'][n % 3],
      productPath: n % 2 === 0 ? 'Web' : 'Shop',
      productName: 'access',
    })),
  )
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
})

const place = (column: number, row = 0) => ({ column, row, width: 6, height: 4 })
const DEFINITION = {
  variables: [{ kind: 'text', name: 'city' }],
  widgets: [
    {
      id: 'a',
      title: 'By status',
      type: 'column',
      query: '* | count | group by status',
      place: place(0),
    },
    {
      id: 'b',
      title: 'Over time',
      type: 'line',
      query: '* | count | interval 1 hour',
      place: place(6),
    },
    { id: 'c', title: 'City', type: 'number', query: 'city = ${city} | count', place: place(0, 4) },
  ],
}

describe('a dashboard', () => {
  it('is saved, read and run', async () => {
    const made = await admin.addApp({ name: 'Web access' })
    const { id, version } = await admin.addDashboard(made.id, 'Overview', DEFINITION)
    expect(version).toBe(1)
    const path = `/${made.id}/dashboards/${id}`
    const one = await admin.runWidget(path, { widgetId: 'a' })
    expect(one.rows?.rows.toSorted()).toEqual([
      ['200', '40'],
      ['500', '20'],
    ])
    const two = await admin.runWidget(path, { widgetId: 'b' })
    expect(two.rows?.columns.map(({ type }) => type)).toEqual(['time', 'number'])
    expect(two.rows?.columns[0]?.times?.every((ms) => (ms ?? 0) % 3_600_000 === 0)).toBe(true)
    expect(await admin.stored(path)).toBeNull()
    const result = await admin.generate(path)
    expect(result.widgets.map(({ rows, error }) => [rows?.rows.length, error])).toEqual([
      [2, null],
      [expect.any(Number), null],
      [1, null],
    ])
    expect(await admin.stored(path)).toEqual(result)
  })

  it('counts what its variable says', async () => {
    const { id: appId } = await admin.addApp({ name: 'Variables' })
    const { id } = await admin.addDashboard(appId, 'Cities', DEFINITION)
    const path = `/${appId}/dashboards/${id}`
    const countOf = async (city: string[]) =>
      (await admin.runWidget(path, { widgetId: 'c', variables: { city } })).rows?.rows
    expect(await countOf([])).toEqual([['60']])
    expect(await countOf(['Łódź'])).toEqual([['20']])
    expect(await countOf(['Athens "A"'])).toEqual([['20']])
    expect(await countOf(['x" or status = "200'])).toEqual([['0']])
  })
})
