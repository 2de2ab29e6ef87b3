import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type DocumentedTable,
  printOpenApi,
} from '../../../../../infra/http/routes/print-openapi.ts'
import {
  jsonContent,
  NO_BODY,
  parametersBody,
  type Route,
  textContent,
} from '../../../../../infra/http/routes/route.ts'

const HEAD = {
  info: { title: 't', version: '1', description: 'd' },
  serverUrl: 'http://localhost',
  securitySchemes: {},
  security: [{ basic: [] }],
}
const document = { operationId: 'one', tags: ['x'], summary: 's', answers: {} }
const PLAIN: Route = { methods: ['GET'], path: '/one', right: 'anonymous', body: NO_BODY, document }
const item = z.strictObject({ a: z.string() }).meta({ id: 'Item' })

function paths(table: DocumentedTable) {
  const printed = printOpenApi(HEAD, [table])
  const known = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  return known.parse(printed).paths
}

describe('the OpenAPI document of a route table', () => {
  it('tells the parameters of a body instead of those of the address, by its own name', () => {
    const route: Route = {
      ...PLAIN,
      methods: ['GET', 'POST'],
      parameters: z.object({ n: z.string().optional(), m: z.string() }),
      headers: { 'X-One': z.string().optional().meta({ description: 'h' }) },
      body: parametersBody(['application/json'], { isRequired: true }),
    }
    const schema = { type: 'string' }
    const header = { name: 'X-One', in: 'header', required: false, description: 'h', schema }
    expect(paths({ routes: [route] })['/one']).toMatchObject({
      get: {
        operationId: 'one',
        parameters: [
          { name: 'n', in: 'query', required: false, schema },
          { name: 'm', in: 'query', required: true, schema },
          header,
        ],
      },
      post: {
        operationId: 'oneByPost',
        parameters: [header],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { properties: { n: schema, m: schema } } } },
        },
      },
    })
    expect(paths({ routes: [route] })['/one']?.get).not.toHaveProperty('requestBody')
  })

  it('tells what the table refuses, unless its routes tell it themselves', () => {
    const refusalContent = textContent('text/plain')
    const post: Route = {
      ...PLAIN,
      methods: ['POST'],
      body: parametersBody([], { isRequired: true }),
    }
    expect(paths({ routes: [post], refusalContent })['/one']).toMatchObject({
      post: { responses: { 405: {}, 413: { description: 'The body is larger than 256 KiB.' } } },
    })
    expect(paths({ routes: [post] })['/one']).toMatchObject({ post: { responses: {} } })
    const own = { ...document, answers: { 405: { description: 'own' } } }
    const told = paths({ routes: [{ ...PLAIN, document: own }], refusalContent })['/one']
    expect(told).toMatchObject({ get: { responses: { 405: { description: 'own' } } } })
  })

  it('leaves the right out where it is that of the whole document', () => {
    const of = (right: Route['right']) => paths({ routes: [{ ...PLAIN, right }] })['/one']?.get
    expect(of('anonymous')).toHaveProperty('security', [])
    expect(of('token')).toHaveProperty('security', [])
    expect(of('signed-in')).not.toHaveProperty('security')
    expect(of('operator')).not.toHaveProperty('security')
  })

  it('has a schema with an id once, and nothing of a private route', () => {
    const answers = {
      200: { description: 'ok', content: jsonContent(z.object({ items: z.array(item) })) },
      400: { description: 'no', content: jsonContent(item) },
    }
    const hidden: Route = { ...PLAIN, path: '/hidden', document: 'private' }
    const printed = printOpenApi(HEAD, [
      { routes: [{ ...PLAIN, document: { ...document, answers } }, hidden] },
    ])
    const text = JSON.stringify(printed)
    expect(text.match(/"#\/components\/schemas\/Item"/g)).toHaveLength(2)
    expect(printed.components).toMatchObject({ schemas: { Item: { type: 'object' } } })
    expect(text).not.toMatch(/hidden|\$defs|"id"/)
  })
})
