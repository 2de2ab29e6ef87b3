// The OpenAPI document: served as it is committed, and true of every route and parameter. That answers are what it says is
// checked wherever the JSON interface is called: test/support/json-client.ts parses each by its schema.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeOpenApi } from '../../query/openapi/document.ts'
import { ENDPOINTS, SEARCH_JSON_PATH } from '../../query/search-json/app.ts'
import { ingestAnswer } from '../../schemas/public-calls/ingest.ts'
import { searchCallParameters } from '../../schemas/public-calls/search.ts'
import { makeFailingStore } from '../support/failing-store.ts'
import { openTestApp } from '../support/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../support/query-database.ts'

const COMMITTED = join(import.meta.dirname, '../../docs/reference/openapi.json')
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
  responses: z.record(z.string(), z.unknown()),
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
  it('is the committed one', async () => {
    const document = makeOpenApi({ version: '0.1.0', publicUrl: 'http://localhost:30303' })
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(COMMITTED)
    const { text } = await served()
    expect(JSON.parse(text)).toEqual({
      ...document,
      info: { ...z.record(z.string(), z.unknown()).parse(document.info), version: '1.2.3' },
    })
  })

  it('tells of every route, and every route it tells of is there', async () => {
    const { document } = await served()
    const paths = Object.keys(document.paths)
    const names = [...ENDPOINTS.map(({ name }) => name), 'tail']
    expect(paths.filter((path) => path.startsWith(SEARCH_JSON_PATH)).sort()).toEqual(
      names.map((name) => `${SEARCH_JSON_PATH}/${name}`).sort(),
    )
    const app = openTestApp(
      db,
      makeFailingStore(() => []),
    )
    for (const [path, methods] of Object.entries(document.paths))
      for (const method of Object.keys(methods)) {
        // The listener's own, beside this app.
        if (path.endsWith('logger.jsp')) continue
        const answer = await app.call(path, { method: method.toUpperCase() })
        // Not signed in: there, and nothing more is told.
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

  it('tells the answer of the listener as it is', () => {
    const answer =
      '{"text":"Success","code":0,"received":2,"accepted":1,"rejected":1,"errors":[{"index":1,"code":"too_deep","message":"m"}],"receipt":"0-1-x"}'
    expect(ingestAnswer.parse(JSON.parse(answer))).toEqual(JSON.parse(answer))
  })
})
