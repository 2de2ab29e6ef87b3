// What somebody tries who wants more than is theirs (decisions 9.2 to 9.10). What has tests of its
// own: cursors and guessed licence keys (portal-edge), ids of others (portal-matrix), ranges and 26
// MiB (portal-attachments), addresses of webhooks (portal-webhook-delivery).
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findStreamedRoutes } from '../../../../infra/http/routes/streamed-routes.ts'
import { Examples } from '../../../../portal/reference-page/make-example.ts'
import { exampleBody } from '../../../../portal/reference-page/print-operation.ts'
import { operationsOf, readDocument } from '../../../../portal/reference-page/read-document.ts'
import { MIB, open, talk, useServers } from '../../../support/apps/http-server.ts'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { makePdf, makeZip, officeEntries } from '../../../support/portal/sample-files.ts'
import { makeWorld, PASSWORD, type World } from '../../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../../support/pricing/small-book.ts'

useServers()

const BASE = '/api/portal/v1'
const COOKIE = 'logeye_portal_session'
const FAR = '2035-01-01T00:00:00Z'
const PLAN = { name: 'P', volumeBytesPerDay: 1 }
const HTML = '<html><script>alert(1)</script></html>'
let portal: TestPortal
let world: World
let offerId = ''
let from = 0

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  const of = { as: portal.operator, headers: { 'x-organization-id': world.direct } }
  const price = (unitPrice: string, more = {}) => ({
    ...{ per: 'month', model: { kind: 'per_unit', unitPrice } as const, ...more },
  })
  const prices = [price('1'), price('0.77', { channel: 'north' })]
  const book = makeDocument([makeItem('logs', prices)], {
    channels: [{ id: 'north', name: 'North' }],
  })
  await must({ path: '/price-books', as: portal.operator, body: book })
  const content = { lines: [{ item: 'logs', quantity: '1' }] }
  const body = { title: 'T', content, validUntil: FAR, plan: PLAN }
  offerId = (await must({ path: '/offers', ...of, body })).body.id
  await must({ path: `/offers/${offerId}/send`, method: 'POST', ...of })
})

type Asked = Parameters<TestPortal['ask']>[0]
/** Each of an address of its own: limits of calls are tried elsewhere. */
const ask = (asked: Asked) => {
  from += 1
  return portal.ask({ address: `10.9.${from >> 8}.${from & 255}`, ...asked })
}
async function must(asked: Asked) {
  const answer = await ask(asked)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

describe('fields that are not the caller’s', () => {
  const HOSTILE = [
    ...['__proto__', 'constructor', 'prototype', 'toString', 'id', 'isAdmin', 'is_enabled'],
    ...['organization_id', 'createdAt', 'totals', 'kind ', ''],
  ]
  const withFields = (body: unknown, names: readonly string[]) => {
    const text = JSON.stringify(body)
    // A key twice is refused for that alone.
    const fields = names
      .filter((name) => !Object.hasOwn(Object(body), name))
      .map((name) => `${JSON.stringify(name)}:{"role":"operator"}`)
      .join()
    return text === '{}' ? `{${fields}}` : text.replace(/^\{/, `{${fields},`)
  }

  it('are refused by every call with a body, by their names', async () => {
    const document = readDocument((await ask({ path: '/api/portal/openapi.json' })).body)
    const examples = new Examples(document)
    const tried = new Set<string>()
    for (const operation of operationsOf(document)) {
      const body = exampleBody(operation, examples)
      const { operationId, method } = operation
      // Those of a heartbeat are ignored: deployments are newer and older than their portal.
      if (body === undefined || operationId === 'heartbeat') continue
      const path = operation.path.replaceAll(/\{\w+\}/g, 'x')
      const sent = withFields(body, HOSTILE)
      for (const as of [undefined, portal.operator, world.sessions.admin]) {
        const { status, body: told } = await ask({ method, path, as, body: sent })
        if (status === 401 || status === 403) continue
        expect([operationId, status]).toEqual([operationId, 400])
        const pointers = told.errors.map(({ pointer }: { pointer: string }) => pointer)
        // A price book has an id of its own.
        const foreign = HOSTILE.filter((name) => !Object.hasOwn(Object(body), name))
        const wanted = foreign.map((name) => `/${name}`)
        expect(pointers, operationId).toEqual(expect.arrayContaining(wanted))
        tried.add(operationId)
      }
    }
    expect(tried.size).toBeGreaterThan(20)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('role')
  })

  it('of a heartbeat change nothing but its own deployment', async () => {
    const as = portal.operator
    const license = { organizationId: world.direct, name: 'L', plan: PLAN, validTo: FAR }
    const made = await must({ path: '/licenses', as, body: license })
    const report = { fingerprint: 'attack-000001', name: 'a', version: '1', layout: 'X8' }
    const wanted = {
      ...{ organizationId: world.sold, deploymentId: 'dep_x', id: 'dep_x', state: 'retired' },
      ...{ license: { state: 'active' }, volumeBytesPerDay: 1e15 },
    }
    const text = withFields({ ...report, ...wanted }, ['__proto__', 'constructor'])
    const key = { path: '/deployments/heartbeat', as: made.body.licenseKey, body: text }
    const { deploymentId, license: told } = (await must(key)).body
    expect(deploymentId).toMatch(/^dep_\w{26}$/)
    expect(told.plan.volumeBytesPerDay).toBe(1)
    const read = await must({ path: `/deployments/${deploymentId}`, as: world.sessions.viewer })
    expect(read.body).toMatchObject({ state: 'registered', organizationId: world.direct })
    const other = { path: `/deployments/${deploymentId}`, as: world.sessions.soldAdmin }
    expect((await ask(other)).status).toBe(404)
  })
})

describe('a browser of somebody who has signed in', () => {
  const signIn = async (headers: Record<string, string> = {}) => {
    const email = `customer_admin@${world.direct.slice(-8)}.test`
    const body = { email, password: PASSWORD, cookie: true }
    const begun = await must({ path: '/session', body, headers })
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return { cookie, csrfToken: String(begun.body.csrfToken) }
  }

  it('changes nothing by a page of another site, whatever the call', async () => {
    const { cookie } = await signIn()
    const other = await signIn()
    const writes = portal.app.routes.flatMap(({ methods, path }) =>
      // A quote is asked for by POST, and changes nothing.
      path.startsWith(BASE) && !path.endsWith('/quote') && !methods.includes('GET')
        ? methods.map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'x') }))
        : [],
    )
    expect(writes.length).toBeGreaterThan(30)
    // A form can send these types without asking first.
    const forms = ['application/json', 'text/plain', 'application/x-www-form-urlencoded']
    for (const { method, path } of writes)
      for (const token of [undefined, 'x', other.csrfToken]) {
        const type = forms[from % forms.length] ?? ''
        const headers = {
          ...{ cookie, origin: 'https://evil.example', 'content-type': type },
          ...(token === undefined ? {} : { 'x-csrf-token': token }),
        }
        const sent = method === 'DELETE' ? {} : { body: '{}' }
        const { status, body, headers: told } = await ask({ method, path, headers, ...sent })
        expect([path, status]).toEqual([path, 403])
        expect(['csrf', 'forbidden']).toContain(body.code)
        // No other site may read an answer either.
        expect(told.get('access-control-allow-origin')).toBeNull()
      }
    expect((await ask({ path: '/session', headers: { cookie } })).status).toBe(200)
  })

  it('has a session that nobody chose before', async () => {
    const before = await signIn()
    const planted = [before.cookie, `${COOKIE}=ses_${'a'.repeat(49)}`, `${COOKIE}=x`]
    for (const cookie of planted) {
      const headers = { cookie, 'x-csrf-token': before.csrfToken }
      const email = `customer_viewer@${world.direct.slice(-8)}.test`
      const body = { email, password: PASSWORD, cookie: true }
      const begun = await ask({ path: '/session', body, headers })
      if (begun.status === 401) continue
      expect(begun.status, begun.text).toBe(201)
      const set = begun.headers.get('set-cookie') ?? ''
      expect(set).not.toContain(cookie)
      // Who planted it has what they had.
      const whose = await ask({ path: '/session', headers: { cookie } })
      if (whose.status === 200) expect(whose.body.person.email).toContain('customer_admin')
      else expect(whose.status).toBe(401)
    }
    // Neither body nor address choose it.
    const chosen = `ses_${'b'.repeat(49)}`
    const given = { path: `/session?token=${chosen}`, body: { email: 'a@b.test', password: 'x' } }
    expect((await ask(given)).status).toBe(400)
  })
})

describe('a file', () => {
  const path = () => `/offers/${offerId}/attachments`
  const send = (disposition: string, bytes: Uint8Array | string, type = 'text/csv') => {
    const head = `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`
    const body = Buffer.concat([
      ...[Buffer.from(head, 'latin1'), Buffer.from(bytes), Buffer.from('\r\n--b--\r\n')],
    ])
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    return ask({ method: 'POST', path: path(), as: world.sessions.admin, body, headers })
  }

  it('puts nothing into a header or a folder by its name', async () => {
    const keys = async () => (await portal.objects.list('', { limit: 1000 })).map(({ key }) => key)
    let kept = 0
    for (const name of [
      ...['a\\r\\nSet-Cookie: x=1.csv', 'a%0d%0aSet-Cookie:%20x=1.csv', 'a\rX: 1.csv', 'a;b=c.csv'],
      ...['../../../secrets.key.csv', '..\\..\\secrets.csv', '/etc/passwd.csv', 'a\0b.csv'],
      ...['%2e%2e%2fx.csv', 'x.csv/', '\x1b[31m.csv', 'a\u2028b.csv', '.csv', 'CON.csv'],
    ]) {
      const plain = Buffer.from(name).toString('latin1').replaceAll('"', '%22')
      const forms = [`name="file"; filename="${plain}"`]
      forms.push(`name="file"; filename="x.csv"; filename*=UTF-8''${encodeURIComponent(name)}`)
      for (const form of forms) {
        const made = await send(form, 'a,b\n1,2\n')
        expect([201, 400, 415, 422], name).toContain(made.status)
        if (made.status !== 201) continue
        kept += 1
        expect(made.body.name).not.toMatch(/[\p{Cc}/\\]/u)
        const read = await must({ path: `${path()}/${made.body.id}`, as: world.sessions.viewer })
        expect(read.headers.get('set-cookie')).toBeNull()
        expect(read.headers.get('x')).toBeNull()
        expect(read.headers.get('content-disposition')).toMatch(
          /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[\w.~%-]+$/,
        )
      }
    }
    expect(kept).toBeGreaterThan(10)
    for (const key of await keys()) expect(key).toMatch(/^attachments\/[0-9a-z_.-]+$/)
  })

  it('that is two formats, or unpacks without end, is not taken', async () => {
    const before = (await portal.objects.list('', { limit: 1000 })).length
    const zip = makeZip(officeEntries('docx'))
    const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    const bomb = [...officeEntries('docx'), { name: 'word/big.xml', unpacked: 0xfffffff0 }]
    for (const [name, bytes, type] of [
      ['bomb.docx', makeZip(bomb), office],
      ['both.pdf', Buffer.concat([makePdf(), zip]), 'application/pdf'],
      ['both.docx', Buffer.concat([zip, Buffer.from(HTML)]), office],
      ['page.pdf', Buffer.concat([Buffer.from(HTML), makePdf()]), 'application/pdf'],
      ['page.csv', Buffer.from(HTML), 'text/csv'],
      ['page.txt', Buffer.from(`<!doctype html>${HTML}`), 'text/plain'],
      [
        'image.svg',
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${HTML}</svg>`),
        'image/svg+xml',
      ],
    ] as const) {
      const { status, body } = await send(`name="file"; filename="${name}"`, bytes, type)
      expect([name, status], body.message).toEqual([name, 415])
    }
    expect((await portal.objects.list('', { limit: 1000 })).length).toBe(before)
  })
})

describe('a path', () => {
  it('leads to no file of the machine', async () => {
    const ways = ['..', '%2e%2e', '..%2f..', '%2e%2e%5c', '....//', '..%252f', '%00']
    const ends = ['secrets.key', 'logeye.db', 'package.json', 'etc/passwd']
    const roots = [
      '/portal/assets/',
      '/portal/',
      '/api/portal/',
      `${BASE}/offers/${offerId}/attachments/`,
    ]
    for (const root of roots)
      for (const way of ways)
        for (const end of ends) {
          const request = new Request(`http://portal.test${root}${way}/${end}`)
          const answer = await portal.app.fetch(request, { address: '10.8.0.1' })
          const text = await answer.text()
          expect([200, 302, 400, 401, 404, 429], root + way).toContain(answer.status)
          expect(text).not.toMatch(/"dependencies"|root:|SQLite format/)
          if (answer.status === 200) expect(answer.headers.get('content-type')).toMatch(/html/)
        }
  })
})

describe('a tag of what somebody else sees', () => {
  it('opens nothing, and says nothing of it', async () => {
    const catalog = { path: '/pricing/catalog' }
    const [list, channel] = [
      await must(catalog),
      await must({ ...catalog, as: world.sessions.reseller }),
    ]
    const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? ''
    expect(tagOf(list)).not.toBe(tagOf(channel))
    const crossed = await ask({ ...catalog, headers: { 'if-none-match': tagOf(channel) } })
    expect([crossed.status, crossed.text]).toEqual([200, list.text])
    expect(crossed.text).not.toContain('0.77')
    const back = {
      ...catalog,
      as: world.sessions.reseller,
      headers: { 'if-none-match': tagOf(list) },
    }
    expect([(await ask(back)).status, (await ask(back)).text]).toEqual([200, channel.text])
    for (const { headers } of [list, channel]) {
      expect(headers.get('cache-control')).toMatch(/no-store|private/)
      expect(headers.get('vary')).toContain('authorization')
    }
    const form = new FormData()
    form.append('file', new Blob(['a,b\n3,4\n'], { type: 'text/csv' }), 'a.csv')
    const files = `/offers/${offerId}/attachments`
    const made = (await must({ path: files, as: world.sessions.admin, body: form })).body
    const etag = `"${createHash('sha256').update('a,b\n3,4\n').digest('hex')}"`
    for (const path of [`${files}/${z.string().parse(made.id)}`, `/offers/${offerId}/pdf`])
      for (const tag of [etag, '*']) {
        const headers = { 'if-none-match': tag, 'if-range': tag, range: 'bytes=0-3' }
        expect((await ask({ path, as: world.sessions.soldAdmin, headers })).status).toBe(404)
        expect((await ask({ path, headers })).status).toBe(401)
      }
    const own = { path: `${files}/${made.id}`, as: world.sessions.viewer }
    expect((await ask({ ...own, headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})

describe('through a socket', () => {
  const serve = () =>
    open({ ...portal.app, streamsBody: findStreamedRoutes(portal.app.routes) }, 'node')
  const health = async (port: number) => {
    const signal = AbortSignal.timeout(20_000)
    return (await fetch(`http://127.0.0.1:${port}/api/portal/health`, { signal })).status
  }

  it('a head of a megabyte is refused, whatever it is made of', async () => {
    const { port } = await serve()
    for (const fields of [
      `X-Large: ${'a'.repeat(MIB)}`,
      `Authorization: Bearer ${'a'.repeat(MIB)}`,
      `Cookie: ${COOKIE}=${'a'.repeat(MIB)}`,
      Array.from({ length: 40_000 }, (_, at) => `X-${at}: ${'b'.repeat(16)}`).join('\r\n'),
    ]) {
      const { text } = await talk(port, [
        `GET ${BASE}/session HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n`,
      ])
      expect(text.slice(0, 30), fields.slice(0, 20)).toMatch(/^HTTP\/1\.1 431 |^$/)
    }
    const long = `GET ${BASE}/session?${'q'.repeat(MIB)} HTTP/1.1\r\nHost: x\r\n\r\n`
    expect((await talk(port, [long])).text).toMatch(/^HTTP\/1\.1 431 |^$/)
    expect(await health(port)).toBe(200)
  })

  it('bodies that come in drops keep nobody else waiting', async () => {
    const { port } = await serve()
    const files = `/offers/${offerId}/attachments`
    const slow = Array.from({ length: 120 }, (_, at) => {
      const [path, type] =
        at % 2 === 0
          ? [files, 'multipart/form-data; boundary=b']
          : ['/organizations', 'application/json']
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(
        [
          ...[`POST ${BASE}${path} HTTP/1.1`, 'Host: x', `Content-Type: ${type}`],
          `Authorization: Bearer ${at % 2 === 0 ? world.sessions.admin : portal.operator}`,
          ...['Content-Length: 100000', '', '{'],
        ].join('\r\n'),
      )
      return socket
    })
    const drops = setInterval(() => {
      for (const socket of slow) socket.write(' ')
    }, 50)
    const headers = {
      authorization: `Bearer ${portal.operator}`,
      'content-type': 'application/json',
    }
    const url = `http://127.0.0.1:${port}${BASE}/organizations`
    for (let at = 0; at < 10; at += 1) {
      const body = JSON.stringify({ name: `Beside drops ${at}` })
      const signal = AbortSignal.timeout(20_000)
      const made = await fetch(url, { method: 'POST', headers, body, signal })
      expect(made.status).toBe(201)
      expect(await health(port)).toBe(200)
    }
    clearInterval(drops)
    for (const socket of slow) socket.destroy()
  })
})
