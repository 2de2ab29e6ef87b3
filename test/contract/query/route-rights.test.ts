// What the route tables say of rights is what their calls meet.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeHealth } from '../../../infra/health.ts'
import { HEALTH_TABLE } from '../../../infra/health-routes.ts'
import type { Method, Route } from '../../../infra/http/routes/route.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const VIEWER = { name: 'viewer', password: 'viewer password' }
const JSON_TYPE = { 'content-type': 'application/json' }

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
  await db.addUser(VIEWER.name, VIEWER.password)
})
afterAll(() => db.close())

function open() {
  const { app, call } = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  const mayReadMetrics = (request: Request, address: string) => app.mayOperate(request, address)
  const health = makeHealth({ reports: async () => [], mayReadMetrics })
  const ask = async (method: Method, path: string, user?: typeof VIEWER) => {
    const basic = Buffer.from(`${user?.name}:${user?.password}`).toString('base64')
    const headers = { ...JSON_TYPE, ...(user ? { authorization: `Basic ${basic}` } : {}) }
    const init = { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) }
    const request = new Request(`http://localhost${path}`, init)
    return (await health(request, { address: '10.0.0.1' })) ?? (await call(path, init))
  }
  return { routes: [...app.routes, ...HEALTH_TABLE.routes], ask }
}

/** A GET that begins a session. */
const isWriting = (path: string) => /oidc\/callback|loadSearchModel/.test(path)

const addressOf = ({ path }: Route) => path.replace('{command}', 'settings').replace('{name}', 'x')

describe('a route', () => {
  it('that is not for everybody refuses who has not signed in', async () => {
    const { routes, ask } = open()
    const closed = routes.filter(({ right }) => right !== 'anonymous')
    const asked = closed.flatMap((route) => route.methods.map((method) => ({ route, method })))
    expect(asked.length).toBeGreaterThan(20)
    for (const { route, method } of asked)
      expect([method, route.path, (await ask(method, addressOf(route))).status]).toEqual([
        ...[method, route.path, 401],
      ])
  })

  it('that may change something says what it does to events', () => {
    const { routes } = open()
    const saysNothing = (of: readonly Route[]) =>
      of
        .filter(({ methods, path }) => methods.some((it) => it !== 'GET') || isWriting(path))
        .filter(({ sees }) => sees === undefined)
        .map(({ path }) => path)
    expect(saysNothing(routes)).toEqual([])
    const [route] = routes.filter(({ sees }) => sees !== undefined)
    expect(saysNothing(route === undefined ? [] : [{ ...route, sees: undefined }])).toHaveLength(1)
  })

  it('that takes more than signing in refuses a user without rights', async () => {
    const { routes, ask } = open()
    const high = routes.filter(({ right }) => right !== 'anonymous' && right !== 'signed-in')
    expect(high.map(({ path }) => path)).toEqual(['/metrics'])
    for (const route of high)
      for (const method of route.methods)
        expect([401, 403]).toContain((await ask(method, addressOf(route), VIEWER)).status)
  })
})
