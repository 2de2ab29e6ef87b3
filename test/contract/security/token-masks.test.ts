// An API token shows no more than its policy allows: values that the policy masks stay hidden on
// every read path, also when the token belongs to an administrator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeliveryApp } from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { askSdk, basic, bearer, textOf } from '../../support/clients/access-client.ts'

type Headers = Record<string, string>
type Read = (headers: Headers) => Promise<string>

let pipeline: SearchPipeline
let app: ReturnType<typeof openDeliveryApp>
const tokens: Record<string, Headers> = {}

const admin = () => basic('admin', pipeline.db.adminPassword)
const viewer = () => basic('viewer', 'viewer password')
const policy = (action: string, masks: string) =>
  askSdk(app, 'securityPolicies', { action, policyName: 'hides', masks }, admin())

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  app = openDeliveryApp(pipeline)
  await pipeline.ingestAll([
    { events: [{ message: 'paid order-1234', user: { name: 'Bertqan' }, kind: 'order' }] },
  ])
  await pipeline.db.addUser('viewer', 'viewer password')
  const operations = 'system,data,search'
  const made = { action: 'add', policyName: 'hides', operations, masks: 'column user.name' }
  expect(await askSdk(app, 'securityPolicies', made, admin())).toMatchObject({ status: 200 })
  for (const [name, headers] of [
    ['of the administrator', admin()],
    ['of a user', viewer()],
  ] as const) {
    const given = { action: 'add', name, policy: 'hides' }
    tokens[name] = bearer(textOf(await askSdk(app, 'apiToken', given, headers), 'token'))
  }
}, 120_000)
afterAll(async () => {
  await pipeline?.stop()
})

const xml =
  (searchQuery: string, more: Record<string, string> = {}): Read =>
  async (headers) => {
    const given = { widgetId: 'searchAPI', fixedInterval: 'allData', searchQuery, ...more }
    const path = `/logeye/view/api/widgetAPI.jsp?${new URLSearchParams(given)}`
    return await (await app.call(path, { headers })).text()
  }
const json =
  (call: string, given: object): Read =>
  async (headers) => {
    const answer = await app.call(`/logeye/api/search/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ interval: 'allData', ...given }),
    })
    return await answer.text()
  }

const READS: Readonly<Record<string, Read>> = {
  rows: xml('kind = order'),
  csv: xml('kind = order', { resultFormat: 'csv' }),
  'json export': xml('kind = order', { resultFormat: 'json' }),
  'a column': xml('kind = order | list user.name'),
  'counts by a column': xml('* | count | group by user.name'),
  events: json('events', { query: 'kind = order', limit: 50 }),
  facets: json('facets', { query: 'kind = order', columns: ['user.name'], limit: 50 }),
  table: json('query', { query: '* | count | group by user.name' }),
}

describe.each(['of the administrator', 'of a user'])('a token %s', (name) => {
  it.each(Object.keys(READS))('hides what its policy hides: %s', async (read) => {
    const ask = READS[read]
    expect(await ask?.(name === 'of a user' ? viewer() : admin())).toContain('Bertqan')
    const told = await ask?.(tokens[name] ?? {})
    expect(told).not.toContain('Bertqan')
    expect(told).toContain('***')
  })

  it('finds nothing by it', async () => {
    const count = json('query', { query: 'user.name = Bertqan | count' })
    expect(await count(admin())).not.toBe(await count(tokens[name] ?? {}))
  })

  it('leads around nothing: it neither reads all of System nor changes users', async () => {
    const given = { action: 'edit', policyName: 'hides', masks: '' }
    const changed = await askSdk(app, 'securityPolicies', given, tokens[name] ?? {})
    expect(changed).toMatchObject({ status: 403 })
    const tasks = { name: 'nightly', query: 'error' }
    expect(await askSdk(app, 'addMonitor', tasks, tokens[name] ?? {})).toMatchObject({
      status: 403,
    })
  })
})

it('a policy that hides something else hides that from the same token', async () => {
  expect(await policy('edit', 'pattern order-{digit:4}')).toMatchObject({ status: 200 })
  for (const headers of Object.values(tokens)) {
    const told = await READS.events?.(headers)
    expect(told).toContain('Bertqan')
    expect(told).not.toContain('order-1234')
  }
})

it('a policy stays while a token has it', async () => {
  const given = { action: 'remove', policyName: 'hides' }
  expect(await askSdk(app, 'securityPolicies', given, admin())).toMatchObject({
    status: 409,
    error: expect.stringContaining('API tokens'),
  })
})

it('a token whose policy is no more opens nothing', async () => {
  await pipeline.db.database.write(async (transaction) => {
    await transaction.deleteFrom('policies').where('name', '=', 'hides').execute()
    await transaction
      .updateTable('changes')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .where('area', '=', 'security')
      .execute()
  })
  for (const headers of Object.values(tokens)) {
    const { status } = await askSdk(app, 'list', { type: 'log' }, headers)
    expect(status).toBe(401)
  }
})
