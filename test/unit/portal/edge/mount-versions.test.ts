// A second version beside the first: the older one says until when it is served.
import { describe, expect, it } from 'vitest'
import { printOpenApi } from '../../../../infra/http/routes/print-openapi.ts'
import { NO_BODY, type ServedRoute } from '../../../../infra/http/routes/route.ts'
import { serveRoutes } from '../../../../infra/http/routes/serve-routes.ts'
import { mountVersions } from '../../../../portal/edge/mount-versions.ts'

const make = (text: string, status = 200): ServedRoute => ({
  ...{ methods: ['GET'], path: `/${text}/{id}`, right: 'anonymous', body: NO_BODY },
  handle: ({ pathValues }) => new Response(`${text} ${pathValues.id}`, { status }),
  document: { operationId: text, tags: [], summary: text, answers: {} },
})
const mount = (deprecated?: { since: string; by: string }) =>
  mountVersions(
    [
      {
        ...{ name: 'v1', routes: [make('offers'), make('failed', 404)] },
        ...(deprecated ? { deprecated } : {}),
      },
      { name: 'v2', routes: [make('offers')] },
    ],
    'https://portal.test',
  )
const refuse = () => new Response('', { status: 404 })
const serve = (routes: ServedRoute[]) => {
  const table = { routes, refusalContent: {}, refuse }
  const fetch = serveRoutes([table], { refuse, onError: refuse, headers: {} })
  return async (path: string, method = 'GET') => {
    const request = new Request(`https://portal.test/api/portal/${path}`, { method })
    return await fetch(request, { address: '' })
  }
}

describe('versions of the API', () => {
  it('are served beside each other, and only the older one is deprecated', async () => {
    const ask = serve(mount({ since: '2028-02-29', by: 'v2' }))
    for (const [path, method, status] of [
      ['v1/offers/7', 'GET', 200],
      ['v1/offers/7', 'HEAD', 200],
      ['v1/failed/7', 'GET', 404],
    ] as const) {
      const { headers, status: seen } = await ask(path, method)
      expect(seen, path).toBe(status)
      // RFC 9745 and RFC 8594: seconds since 1970, and a date of HTTP.
      const deprecation = headers.get('deprecation')
      expect(deprecation).toBe(`@${Date.UTC(2028, 1, 29) / 1000}`)
      expect(headers.get('sunset')).toBe('Thu, 01 Mar 2029 00:00:00 GMT')
      expect(headers.get('link')).toContain(
        '<https://portal.test/api/portal/v2>; rel="successor-version"',
      )
    }
    const fresh = await ask('v2/offers/7')
    expect(await fresh.text()).toBe('offers 7')
    for (const name of ['deprecation', 'sunset', 'link']) expect(fresh.headers.get(name)).toBeNull()
    expect((await ask('v3/offers/7')).status).toBe(404)
  })

  it('have no such headers while there is nothing newer to use', async () => {
    const { headers, status } = await serve(mount())('v1/offers/7')
    expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([200, null, null])
  })

  it('are told apart in the document', () => {
    const head = { info: { title: '', version: '', description: '' }, serverUrl: '', security: [] }
    const routes = mount({ since: '2027-01-01', by: 'v2' })
    const { paths } = printOpenApi({ ...head, securitySchemes: {} }, [{ routes }])
    expect(paths).toMatchObject({
      '/api/portal/v1/offers/{id}': { get: { operationId: 'offersV1', deprecated: true } },
      '/api/portal/v2/offers/{id}': { get: { operationId: 'offers' } },
    })
    expect(JSON.stringify(paths).match(/"deprecated"/g)?.length).toBe(2)
  })

  it('refuse a day that is none', () => {
    expect(() => mount({ since: 'soon', by: 'v2' })).toThrow(RangeError)
  })
})
