// The summaries of the OpenAPI documents show what a change does to which operation.
import { expect, it } from 'vitest'
import { findChanges, printSummary } from '../support/openapi/summary.ts'

type Fields = Readonly<Record<string, unknown>>

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answering = (schema: Fields) => ({ 200: { content: { 'application/json': { schema } } } })

const READ_A = { operationId: 'readA', responses: answering(reference('A')) }
const WRITE_A = {
  operationId: 'writeA',
  security: [{ key: [] }],
  parameters: [{ name: 'one' }, { name: 'two' }],
  responses: answering({ type: 'string' }),
}
const READ_B = { operationId: 'readB', responses: answering(reference('B')) }
const A = { type: 'object', properties: { b: reference('B'), c: {} }, required: ['b', 'c'] }
const B = { type: 'object', properties: { a: reference('A'), kind: { enum: ['x', 'y'] } } }
const SCHEMES = { bearer: { scheme: 'bearer' }, key: { in: 'query' } }

function makeDocument({
  version = '1',
  url = 'http://a',
  title = 'T',
  paths = { '/b': { get: READ_B }, '/a': { put: WRITE_A, get: READ_A } } as Fields,
  sent = { type: 'object' } as Fields,
  schemas = { A, B } as Fields,
  securitySchemes = SCHEMES as Fields,
} = {}) {
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url }],
    security: [{ bearer: [] }],
    paths,
    webhooks: { 'a.changed': { post: { requestBody: { schema: sent } } } },
    components: { securitySchemes, schemas },
  }
}
const SUMMARY = printSummary(makeDocument())
const changesOf = (changed: Parameters<typeof makeDocument>[0]) =>
  findChanges(SUMMARY, makeDocument(changed))

it('has a line for each operation and webhook, by path', () => {
  expect(
    SUMMARY.replaceAll(/ [0-9a-f]{12}$/gm, '')
      .split('\n')
      .slice(1),
  ).toEqual(['DOCUMENT', 'GET /a readA', 'PUT /a writeA', 'GET /b readB', 'WEBHOOK a.changed', ''])
})

it.each<[string, Parameters<typeof makeDocument>[0]]>([
  ['version and servers', { version: '2', url: 'http://b' }],
  ['the order of paths', { paths: { '/a': { get: READ_A, put: WRITE_A }, '/b': { get: READ_B } } }],
  [
    'the order of components and their keys',
    { schemas: { B, A: Object.fromEntries(Object.entries(A).reverse()) } },
  ],
  ['the order of required fields', { schemas: { A: { ...A, required: ['c', 'b'] }, B } }],
  [
    'the order of parameters',
    {
      paths: {
        '/a': { get: READ_A, put: { ...WRITE_A, parameters: [{ name: 'two' }, { name: 'one' }] } },
        '/b': { get: READ_B },
      },
    },
  ],
])('does not depend on %s', (_, changed) => {
  expect(changesOf(changed)).toEqual([])
  expect(printSummary(makeDocument(changed))).toBe(SUMMARY)
})

it.each<[string, Parameters<typeof makeDocument>[0], string[]]>([
  ['title', { title: 'U' }, ['changed: DOCUMENT']],
  ['webhook', { sent: { type: 'string' } }, ['changed: WEBHOOK a.changed']],
  [
    'component that operations refer to, directly or not',
    { schemas: { A, B: { ...B, properties: { kind: { enum: ['x'] } } } } },
    ['changed: GET /a readA', 'changed: GET /b readB'],
  ],
  [
    'way to sign in',
    { securitySchemes: { ...SCHEMES, key: { in: 'header' } } },
    ['changed: PUT /a writeA'],
  ],
  [
    'usual way to sign in',
    { securitySchemes: { ...SCHEMES, bearer: { scheme: 'basic' } } },
    ['changed: GET /a readA', 'changed: GET /b readB'],
  ],
  [
    'set of operations',
    {
      paths: { '/a': { get: READ_A, put: { ...WRITE_A, operationId: 'putA' } }, '/c': { get: {} } },
    },
    ['removed: PUT /a writeA', 'removed: GET /b readB', 'added: PUT /a putA', 'added: GET /c'],
  ],
])('names each operation with a changed %s', (_, changed, changes) => {
  expect(changesOf(changed)).toEqual(changes)
})
