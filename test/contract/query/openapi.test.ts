// The OpenAPI document: as its committed summary says, and true of every route and parameter. That
// answers are what it says is checked wherever the JSON interface is called:
// test/support/clients/json-client.ts parses each by its schema.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeHealth } from '../../../infra/health.ts'
import { HEALTH_TABLE } from '../../../infra/health-routes.ts'
import type { Route } from '../../../infra/http/routes/route.ts'
import { ingestAnswer, receiptAnswer } from '../../../schemas/public-calls/ingest.ts'
import {
  failedEnvelopeAnswer,
  liveAnswer,
  readyAnswer,
  versionAnswer,
} from '../../../schemas/public-calls/operation.ts'
import { searchCallParameters } from '../../../schemas/public-calls/search.ts'
import { getReceipt, startListener } from '../../support/apps/listener-server.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { findChanges, REWRITE } from '../../support/openapi/summary.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const SUMMARY = join(import.meta.dirname, '../../../docs/reference/openapi.txt')
/** Of the command line of the same version: no part of the public interface (decision 8.3). */
const PRIVATE_CHANNEL = '/logeye/sdk/{command}'
const PLACE = {
  path: 'Events',
  log: 'web',
  host: 'h',
  template: null,
  pattern: null,
  columns: { a: '1' },
  time: '2026-03-01T12:00:00Z',
}
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
  responses: z.record(z.string(), z.unknown()),
  security: z.array(z.unknown()).optional(),
})
const documentSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

const served = async () => {
  const app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  const answer = await app.call('/logeye/api/openapi.json')
  const text = await answer.text()
  await app.app.stop()
  return { text, document: documentSchema.parse(JSON.parse(text)) }
}

describe('the OpenAPI document', () => {
  it('is summarized in docs/reference/openapi.txt', async () => {
    const { text } = await served()
    const changes = findChanges(readFileSync(SUMMARY, 'utf8'), JSON.parse(text))
    expect(changes, REWRITE).toEqual([])
  })

  it('tells of every route that is served, and of no other', async () => {
    const { document } = await served()
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const { app } = openTestApp(
      db,
      makeFailingStore(() => []),
    )
    const listener = await startListener()
    const isPrivate = ({ document: own }: Route) => own === 'private'
    expect(app.routes.filter(isPrivate).map(({ path }) => path)).toEqual([PRIVATE_CHANNEL])
    const routes = app.routes
      .filter((route) => !isPrivate(route))
      .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
    const health = HEALTH_TABLE.routes.map(({ path }) => `GET ${path}`)
    const taken = listener.listener.routes.map(({ path }) =>
      path.endsWith('receipt.jsp') ? `GET ${path}` : `POST ${path}`,
    )
    await listener.close()
    await app.stop()
    expect(told.sort()).toEqual([...routes, ...health, ...taken].sort())
  })

  it('tells of the statuses that calls without a sign-in get', async () => {
    const { document } = await served()
    const app = openTestApp(
      db,
      makeFailingStore(() => []),
    )
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { responses, security }] of Object.entries(methods)) {
        // The listener's and health are beside this app.
        if (/logger|cloudevents|receipt|health|metrics/.test(path)) continue
        const answer = await app.call(path, { method: method.toUpperCase() })
        expect(Object.keys(responses), path).toContain(String(answer.status))
        // Who must sign in is told nothing more.
        if (security === undefined)
          expect([path, method, answer.status]).toEqual([path, method, 401])
      }
    await app.app.stop()
  })

  it('has every schema it refers to, and no operation id twice', async () => {
    const { text, document } = await served()
    const known = Object.keys(document.components.schemas)
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(known).toContain(name)
    expect(text).not.toContain('$defs')
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('names the parameters of widgetAPI.jsp that the call reads', async () => {
    const app = openTestApp(
      db,
      makeFailingStore(() => []),
    )
    for (const name of Object.keys(searchCallParameters.shape)) {
      // A parameter that is read is refused when it comes twice; one that is not is ignored.
      const twice = new URLSearchParams([
        ['widgetId', 'searchAPI'],
        ['searchQuery', '*'],
        ...Object.entries(app.asAdmin),
        [name, '1'],
        [name, '1'],
      ])
      const answer = await app.call(`/logeye/view/api/widgetAPI.jsp?${twice}`)
      expect(await answer.text()).toContain(`1: ${name}: given more than once`)
    }
    await app.app.stop()
  })

  it('tells the answers of the listener as they are', async () => {
    const listener = await startListener({ explain: async () => [PLACE] })
    const answers = [
      await listener.post('{"a":1}'),
      await listener.post('{"a":1}\n17\n{"b":{"c":{"d":{"e":1}}}}'),
      await listener.post('{"a":1}', { query: 'token=good&debug=1' }),
      await listener.post('17'),
      await listener.post(''),
      await listener.post('{"a":1}', { query: 'token=wrong' }),
      await listener.post('', { method: 'GET' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 400, 405])
    for (const { body } of answers) expect(ingestAnswer.parse(body)).toEqual(body)
    const query = `token=good&receipt=${answers[0]?.body.receipt}`
    const receipt = await getReceipt(listener.url, query)
    expect(receiptAnswer.parse(receipt.body)).toEqual({ durable: true, stored: false })
    const refused = await getReceipt(listener.url, 'token=good&receipt=x')
    expect(ingestAnswer.parse(refused.body)).toMatchObject({ code: 6 })
    await listener.close()
  })

  it('tells the answers of health and version as they are', async () => {
    const reports = async () => [{ process: 'front', ready: { store: false }, metrics: '' }]
    const health = makeHealth({ reports, mayReadMetrics: async () => false })
    const ask = async (path: string) => {
      const request = new Request(`http://localhost${path}`)
      return await (await health(request, { address: '127.0.0.1' }))?.json()
    }
    expect(liveAnswer.parse(await ask('/logeye/health/live'))).toEqual({ live: true })
    expect(readyAnswer.parse(await ask('/logeye/health/ready')).ready).toBe(false)
    const app = openTestApp(
      db,
      makeFailingStore(() => []),
    )
    versionAnswer.parse(await (await app.call('/logeye/restapi/version')).json())
    const failed = await app.call('/logeye/results/none.xml')
    expect(failedEnvelopeAnswer.parse(await failed.json()).httpStatusCode).toBe(failed.status)
    await app.app.stop()
  })
})
