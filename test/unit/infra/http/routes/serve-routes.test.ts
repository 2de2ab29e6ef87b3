import { describe, expect, it } from 'vitest'
import {
  type Method,
  NO_BODY,
  type Refusal,
  type RouteTable,
  type ServedRoute,
  wholeBody,
} from '../../../../../infra/http/routes/route.ts'
import { serveRoutes } from '../../../../../infra/http/routes/serve-routes.ts'

const SHARED = { right: 'anonymous', document: 'private' } as const
const refuse = (shape: string) => (refusal: Refusal) =>
  new Response(`${shape}: ${refusal.kind}`, { status: refusal.status })

function route(path: string, ...methods: Method[]): ServedRoute {
  const handle = ({ request, pathValues }: { request: Request; pathValues: object }) =>
    new Response(`${request.method} ${path} ${JSON.stringify(pathValues)}`)
  return { ...SHARED, methods, path, body: NO_BODY, handle }
}

function upload(path: string, maxBytes: number): ServedRoute {
  const body = { ...wholeBody({}, { isRequired: true }), maxBytes }
  const handle = (call: { body: Uint8Array }) => new Response(String(call.body.length))
  return { ...SHARED, methods: ['GET', 'POST'], path, body, handle }
}

const table = (routes: ServedRoute[], prefix?: string): RouteTable => ({
  routes,
  refusalContent: {},
  refuse: refuse(prefix ?? 'table'),
  ...(prefix === undefined ? {} : { prefix }),
})

function ask(...tables: RouteTable[]) {
  const serve = serveRoutes(tables, {
    refuse: refuse('all'),
    onError: (error) => new Response(`error: ${error.message}`, { status: 500 }),
    headers: { 'x-own': '1' },
  })
  return async (method: string, path: string, body?: string | ReadableStream) => {
    const init: RequestInit = { method, ...(body === undefined ? {} : { body, duplex: 'half' }) }
    const answer = await serve(new Request(`http://localhost${path}`, init), { address: 'a' })
    expect(answer.headers.get('x-own')).toBe('1')
    const allow = answer.headers.get('allow')
    return `${answer.status} ${await answer.text()}${allow === null ? '' : ` [${allow}]`}`
  }
}

describe('a route table', () => {
  const call = ask(
    table([route('/a', 'GET'), route('/a', 'PUT'), route('/files/{name}', 'GET', 'DELETE')]),
    table([route('/sub/one', 'POST')], '/sub'),
  )

  it.each([
    ['GET', '/a', '200 GET /a {}'],
    ['PUT', '/a', '200 PUT /a {}'],
    ['DELETE', '/files/x%20y', '200 DELETE /files/{name} {"name":"x y"}'],
    ['HEAD', '/a', '200 '],
    ['HEAD', '/files/x', '200 '],
  ])('serves %s %s', async (method, path, expected) => {
    expect(await call(method, path)).toBe(expected)
  })

  it.each([
    ['POST', '/a', '405 table: other_method [GET, PUT]'],
    ['OPTIONS', '/a', '405 table: other_method [GET, PUT]'],
    ['PATCH', '/files/x', '405 table: other_method [GET, DELETE]'],
    ['HEAD', '/sub/one', '405  [POST]'],
    ['GET', '/sub/one', '405 /sub: other_method [POST]'],
    ['GET', '/sub/two', '404 /sub: unknown_path'],
    ['GET', '/sub', '404 /sub: unknown_path'],
    ['GET', '/files', '404 all: unknown_path'],
    ['GET', '/files/x/y', '404 all: unknown_path'],
    ['PUT', '/subway', '404 all: unknown_path'],
  ])('refuses %s %s in the shape of its table', async (method, path, expected) => {
    expect(await call(method, path)).toBe(expected)
  })

  it('hands a body over whole up to the limit of its route, and refuses a larger one', async () => {
    const up = ask(table([upload('/up', 5)]))
    expect(await up('POST', '/up', '12345')).toBe('200 5')
    expect(await up('POST', '/up', '123456')).toBe('413 table: too_large')
    expect(await up('POST', '/up')).toBe('200 0')
    expect(await up('GET', '/up')).toBe('200 0')
    const chunks = new Blob(['123', '456']).stream()
    expect(await up('POST', '/up', chunks)).toBe('413 table: too_large')
  })

  it('answers HEAD with the headers of GET, and ends the body that GET would begin', async () => {
    const ended: string[] = []
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Buffer.from('a row')),
        cancel: () => void ended.push('cancelled'),
      })
    const endless: ServedRoute = {
      ...{ ...SHARED, methods: ['GET'], path: '/endless', body: NO_BODY },
      handle: ({ request }) =>
        new Response(body(), { status: 203, headers: { 'x-method': request.method } }),
    }
    const serve = serveRoutes([table([endless])], {
      ...{ refuse: refuse('all'), headers: { 'x-own': '1' } },
      onError: () => new Response(null, { status: 500 }),
    })
    const request = new Request('http://localhost/endless', { method: 'HEAD' })
    const answer = await serve(request, { address: 'a' })
    expect([answer.status, answer.body, ended]).toEqual([203, null, ['cancelled']])
    const { headers } = answer
    expect([headers.get('x-method'), headers.get('x-own')]).toEqual(['GET', '1'])
  })

  it.each<[string, RouteTable[]]>([
    ['GET /a stands twice', [table([route('/a', 'GET'), route('/a', 'POST', 'GET')])]],
    ['GET /{other} stands twice', [table([route('/{one}', 'GET'), route('/{other}', 'GET')])]],
    ['two tables have the path /a', [table([route('/a', 'GET')]), table([route('/a', 'POST')])]],
    ['up to 1 MiB', [table([upload('/up', 1024 * 1024 + 1)])]],
    ['no method that takes one', [table([{ ...upload('/up', 5), methods: ['GET'] }])]],
  ])('is not served when it cannot be: %s', (reason, tables) => {
    expect(() => ask(...tables)).toThrow(reason)
  })
})
