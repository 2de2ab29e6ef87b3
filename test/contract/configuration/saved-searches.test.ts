// Saved searches over their calls: who sees, changes and removes which (docs/decisions/0081).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { savedSearch, savedSearchesAnswer } from '../../../schemas/public-calls/saved-searches.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { basic, signInAs } from '../../support/clients/access-client.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const PATH = '/logeye/api/saved-searches'
const PASSWORD = 'a good password'
const SEARCH = {
  query: 'timeout in log.orders | count | group by host',
  time: { start: '-2h' },
  timeZone: 'Europe/Berlin',
  columns: ['host', 'order id'],
  splitBy: 'host',
  view: 'table',
}
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>

beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  await db.addUser('ann', PASSWORD)
  await db.addUser('bob', PASSWORD)
})
afterAll(async () => {
  await app?.app.stop()
  await db?.close()
})

const headersOf = (user: string) => basic(user, user === 'admin' ? db.adminPassword : PASSWORD)
const send = (user: string, method: string, path = '', body?: object) =>
  app.call(`${PATH}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headersOf(user) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const statusOf = async (...given: Parameters<typeof send>) => (await send(...given)).status
const add = async (user: string, body: object) => {
  const answer = await send(user, 'POST', '', body)
  expect(answer.status).toBe(200)
  return okEnvelope(savedSearch).parse(await answer.json()).response
}
const list = async (user: string, parameters = '') => {
  const answer = await send(user, 'GET', parameters)
  expect(answer.status).toBe(200)
  return okEnvelope(savedSearchesAnswer).parse(await answer.json()).response
}
const namesOf = async (user: string, parameters = '') =>
  (await list(user, parameters)).searches.map(({ name }) => name)

describe('a saved search', () => {
  it('is read as it was saved, by its owner alone', async () => {
    const made = await add('ann', { name: 'Slow orders', description: 'At night', search: SEARCH })
    expect(made).toMatchObject({
      ...{ owner: 'ann', isOwn: true, mayChange: true, isShared: false, version: 1 },
      search: { ...SEARCH, isWrapped: false, isCompared: false, comparedWith: 'before' },
    })
    expect(await namesOf('ann')).toEqual(['Slow orders'])
    for (const other of ['bob', 'admin']) {
      expect(await namesOf(other)).toEqual([])
      for (const method of ['GET', 'DELETE'])
        expect(await statusOf(other, method, `/${made.id}`)).toBe(404)
      const change = { version: 1, name: 'Mine now' }
      expect(await statusOf(other, 'PUT', `/${made.id}`, change)).toBe(404)
    }
    expect(await namesOf('ann')).toEqual(['Slow orders'])
  })

  it('that is shared is opened by all, and changed by its owner and administrators', async () => {
    const { id } = await add('ann', { name: 'Errors', isShared: true, search: { query: 'a' } })
    const [seen] = (await list('bob')).searches
    expect(seen).toMatchObject({ id, owner: 'ann', isOwn: false, mayChange: false })
    expect(await statusOf('bob', 'PUT', `/${id}`, { version: 1, name: 'B' })).toBe(403)
    expect(await statusOf('bob', 'DELETE', `/${id}`)).toBe(403)
    expect(await statusOf('admin', 'PUT', `/${id}`, { version: 1, name: 'All errors' })).toBe(200)
    expect(await statusOf('ann', 'PUT', `/${id}`, { version: 1, name: 'Late' })).toBe(409)
    expect(await statusOf('ann', 'PUT', `/${id}`, { version: 2, isShared: false })).toBe(200)
    expect(await namesOf('bob')).toEqual([])
    expect(await statusOf('admin', 'GET', `/${id}`)).toBe(404)
  })

  it('has a name of its own among those of its owner', async () => {
    await add('bob', { name: 'Same', search: {} })
    expect(await statusOf('bob', 'POST', '', { name: 'sAme', search: {} })).toBe(409)
    await add('admin', { name: 'Same', isShared: true, search: {} })
    expect(await namesOf('bob')).toEqual(['Same', 'Same'])
    expect((await list('bob')).searches.map(({ isOwn }) => isOwn)).toEqual([true, false])
  })

  it('is found by a piece of what it says', async () => {
    await add('bob', { name: 'One', description: 'For the night', search: { query: 'disk full' } })
    await add('bob', { name: 'Two', search: { query: 'disk slow' } })
    expect(await namesOf('bob', '?find=NIGHT')).toEqual(['One'])
    expect(await namesOf('bob', '?find=disk')).toEqual(['One', 'Two'])
    expect(await list('bob', '?find=disk&limit=1')).toMatchObject({ total: 2 })
    expect(await namesOf('bob', '?find=disk&limit=1')).toEqual(['One'])
  })

  it.each([
    ['without a name', { search: {} }],
    ['of an unknown property', { name: 'x', search: { logs: [] } }],
    ['with an unknown interval', { name: 'x', search: { time: { interval: 'soon' } } }],
    ['with too long a query', { name: 'x', search: { query: 'x'.repeat(32_769) } }],
  ])('%s is refused', async (_, body) => {
    expect(await statusOf('ann', 'POST', '', body)).toBe(400)
  })

  it('is not changed from another site', async () => {
    const { headers, csrf } = await signInAs(app, { user: 'ann', password: PASSWORD })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: 'Forged', search: {} }),
    }
    expect((await app.call(PATH, init)).status).toBe(403)
    const own = { ...init, headers: { ...init.headers, ...csrf } }
    expect((await app.call(PATH, own)).status).toBe(200)
  })

  it('stays when its owner is removed, if it is shared', async () => {
    await db.addUser('gone', PASSWORD)
    await add('gone', { name: 'Private of gone', search: {} })
    await add('gone', { name: 'Shared of gone', isShared: true, search: {} })
    const removed = { action: 'remove', userName: 'gone' }
    const answer = await app.call('/logeye/sdk/securityUsers', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf('admin') },
      body: JSON.stringify(removed),
    })
    expect(answer.status).toBe(200)
    const [left] = (await list('bob', '?find=of gone')).searches
    expect(left).toMatchObject({ name: 'Shared of gone', owner: '' })
    const rows = await db.database.read
      .selectFrom('saved_searches')
      .select('name')
      .where('name', 'like', '%gone')
      .execute()
    expect(rows).toEqual([{ name: 'Shared of gone' }])
  })

  it('leaves entries in the audit log', async () => {
    const { id } = await add('bob', { name: 'Watched', search: {} })
    await send('bob', 'DELETE', `/${id}`)
    const rows = await db.database.read
      .selectFrom('audit')
      .select(['action', 'target', 'result'])
      .where('action', 'like', 'savedSearch.%')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(rows).toEqual([
      { action: 'savedSearch.remove', target: String(id), result: 'done' },
      { action: 'savedSearch.add', target: 'Watched', result: 'done' },
    ])
  })
})
