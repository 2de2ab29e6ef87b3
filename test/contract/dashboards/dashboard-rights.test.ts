// Who sees what: every way to read a dashboard, for each kind of user, and results that were kept
// for others (docs/decisions/0073).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Lease } from '../../../infra/database/lease.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { generateDue } from '../../../query/dashboards/generation-job.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { askSdk, basic, signInAs } from '../../support/clients/access-client.ts'
import {
  type DashboardClient,
  makeDashboardClient,
} from '../../support/clients/dashboard-client.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

const PASSWORD = 'a good password'
let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
let admin: DashboardClient
const clients = new Map<string, DashboardClient>()
let path = ''
let appId = 0

const client = (name: string) => clients.get(name) ?? admin

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  const { db } = pipeline
  app = openTestApp(db, pipeline.engine.store)
  const own = basic('admin', db.adminPassword)
  admin = makeDashboardClient(app, own)
  for (const name of ['reader', 'outsider', 'editor', 'limited']) {
    await db.addUser(name, PASSWORD)
    clients.set(name, makeDashboardClient(app, basic(name, PASSWORD)))
  }
  const policy = { action: 'add', policyName: 'makers', operations: 'data.dashboards' }
  expect((await askSdk(app, 'securityPolicies', policy, own)).status).toBe(200)
  for (const userName of ['editor', 'outsider']) {
    const edit = { action: 'edit', userName, policy: 'makers' }
    expect((await askSdk(app, 'securityUsers', edit, own)).status).toBe(200)
  }
  await pipeline.ingest(
    ['Open', 'Open', 'Open', 'Vault', 'Vault'].map((productPath, n) => ({
      ...{ message: `event ${n}`, productPath, productName: 'log' },
    })),
  )
  await db.database.write((transaction) =>
    setViewers(
      transaction,
      { kind: 'folder', levels: ['Events', 'Vault'] },
      { groups: [], users: ['editor'] },
    ),
  )
  await db.metastore.refresh()
  const viewers = { groups: [], users: ['reader', 'editor', 'limited'] }
  const access = { viewers, editors: { groups: [], users: ['editor', 'reader'] } }
  const settings = { generation: '*/5 * * * *', timeFrame: { interval: 'allData' } }
  appId = (await admin.addApp({ name: 'Secret', access, settings })).id
  const widget = { ...{ id: 'a', title: 'All', type: 'number', query: '* | count' } }
  const place = { column: 0, row: 0, width: 6, height: 4 }
  const { id } = await admin.addDashboard(appId, 'Count', { widgets: [{ ...widget, place }] })
  path = `/${appId}/dashboards/${id}`
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
})

const EXPORT =
  '/logeye/view/api/dashboardAPI.jsp?action=export&format=csv&appName=secret&viewName=count'
const countOf = async (name: string) => {
  const { rows } = await client(name).runWidget(path, { widgetId: 'a' })
  return rows?.rows[0]?.[0]
}

describe('every way to read', () => {
  it.each([
    ['reader', '3'],
    ['limited', '3'],
    ['editor', '5'],
    ['admin', '5'],
  ])('shows %s what he may view', async (name, count) => {
    const headers =
      name === 'admin' ? basic('admin', pipeline.db.adminPassword) : basic(name, PASSWORD)
    // Whoever asks first fills what is kept.
    for (const other of ['admin', 'reader', 'editor']) await client(other).generate(path)
    expect(await countOf(name)).toBe(count)
    const stored = await client(name).stored(path)
    expect(stored?.widgets[0]?.rows?.rows[0]?.[0]).toBe(count)
    const csv = await (await app.call(EXPORT, { headers })).text()
    expect(csv).toContain(`\r\n${count}\r\n`)
  })

  it('shows nothing to a user who may not view the app', async () => {
    const outsider = client('outsider')
    const list = await (await outsider.send('GET', '')).text()
    expect(list).not.toContain('Secret')
    const calls: [string, string, unknown?][] = [
      ['GET', `/${appId}`],
      ['GET', `/${appId}/file`],
      ['GET', path],
      ['GET', `${path}/result`],
      ['POST', `${path}/result`],
      ['POST', `${path}/widget-result`, { widgetId: 'a' }],
      ['PUT', path, { version: 1, name: 'x' }],
      ['DELETE', path],
      ['PUT', `/${appId}`, { version: 1, name: 'x' }],
      ['DELETE', `/${appId}`],
    ]
    for (const [method, at, body] of calls)
      expect([method, at, (await outsider.refusal(method, at, body)).status]).toEqual([
        method,
        at,
        404,
      ])
    expect((await app.call(EXPORT, { headers: basic('outsider', PASSWORD) })).status).toBe(404)
    const own = basic('outsider', PASSWORD)
    const exported = await askSdk(
      app,
      'exportObject',
      { type: 'dashboard', name: 'Secret->Count' },
      own,
    )
    const removed = await askSdk(app, 'removeObject', { type: 'app', name: 'Secret' }, own)
    expect([exported.status, removed.status]).toEqual([404, 404])
    expect((await askSdk(app, 'list', { type: 'app' }, own)).response).toEqual({ objects: [] })
  })

  it('changes nothing without the list or the operation', async () => {
    expect((await client('reader').refusal('PUT', path, { version: 1, name: 'x' })).status).toBe(
      403,
    )
    expect((await client('limited').refusal('DELETE', path)).status).toBe(403)
    const { version } = await client('editor').ask(
      (await import('../../../schemas/public-calls/dashboards.ts')).dashboardAnswer,
      ...(['GET', path] as const),
    )
    const changed = await client('editor').send('PUT', path, { version, name: 'Count' })
    expect(changed.status).toBe(200)
    expect((await client('editor').refusal('PUT', path, { version, name: 'Count' })).status).toBe(
      409,
    )
  })

  it('needs the token of a session for what writes', async () => {
    const { headers, csrf } = await signInAs(app, { user: 'editor', password: PASSWORD })
    const call = (more: object) =>
      app.call(`/logeye/api/apps${path}/result`, {
        method: 'POST',
        headers: { ...headers, ...more },
      })
    expect([(await call({})).status, (await call(csrf)).status]).toEqual([403, 200])
  })
})

describe('the schedule', () => {
  it('makes results for who asked, by the rights of now', async () => {
    const { database, metastore } = pipeline.db
    await client('reader').generate(path)
    await client('editor').generate(path)
    await database.write(async (transaction) => {
      await transaction.updateTable('dashboard_results').set({ generated_ms: 0 }).execute()
      const nobody = { groups: [], users: [] }
      await setViewers(transaction, { kind: 'folder', levels: ['Events', 'Vault'] }, nobody)
    })
    await metastore.refresh()
    expect(await client('editor').stored(path)).toMatchObject({
      widgets: [{ rows: { rows: [['3']] } }],
    })
    const lease = new Lease({ database, clock: testClock, name: 'test dashboards' })
    const held = await lease.tryTake()
    if (held === undefined) throw new Error('another has the lease')
    const { signal } = new AbortController()
    const context = { database, metastore, store: pipeline.engine.store, held, signal }
    const limits = { maxQueryMemoryBytes: 1e9, keptFreeBytes: 0 }
    await generateDue({ ...context, clock: testClock, logger: silentLogger }, limits)
    await lease.release()
    const rows = await database.read.selectFrom('dashboard_results').selectAll().execute()
    const made = rows.filter(({ generated_ms }) => generated_ms > 0)
    expect(made.map(({ result }) => JSON.parse(result).widgets[0].rows.rows[0][0])).toEqual(['3'])
  })
})
