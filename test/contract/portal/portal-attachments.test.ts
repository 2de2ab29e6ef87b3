// Files at an offer: what is taken, by whom, and what stays behind.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { findStreamedRoutes } from '../../../infra/http/routes/streamed-routes.ts'
import { cleanAttachments } from '../../../portal/offers/attachments/clean-attachments.ts'
import { MIB, open, talk, useServers } from '../../support/apps/http-server.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makePdf, SAMPLES } from '../../support/portal/sample-files.ts'
import { makeWorld, type World } from '../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'
import { SOON } from '../../support/run/patience.ts'

useServers()

let portal: TestPortal
let world: World
let offer: string
let draft: string
type Who = keyof World['sessions']
const PLAN = { name: 'Team', volumeBytesPerDay: 5_000_000_000, features: [] }
const ask = (who: Who, path: string, fields: object = {}, organization?: string) =>
  portal.ask({
    ...{ path, as: world.sessions[who] },
    ...fields,
    headers: {
      ...(organization === undefined ? {} : { 'x-organization-id': organization }),
      ...('headers' in fields ? (fields.headers as Record<string, string>) : {}),
    },
  })

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  const model = { kind: 'per_unit', unitPrice: '1' } as const
  const body = makeDocument([makeItem('logs', [{ model, per: 'month' }])])
  expect((await portal.ask({ path: '/price-books', as: portal.operator, body })).status).toBe(201)
  const make = async () => {
    const content = { lines: [{ item: 'logs', quantity: '1' }] }
    const fields = { title: 'Logs', content, validUntil: '2035-01-01T00:00:00Z', plan: PLAN }
    const made = await ask('sales', '/offers', { body: fields }, world.direct)
    expect(made.status, made.text).toBe(201)
    return made.body.id as string
  }
  offer = await make()
  draft = await make()
  const sent = await ask('sales', `/offers/${offer}/send`, { method: 'POST' }, world.direct)
  expect(sent.status).toBe(200)
})

const formOf = (bytes: Uint8Array, name: string, type = ''): FormData => {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], name, { type }))
  return form
}
type Sent = { readonly headers?: object; readonly id?: string; readonly organization?: string }
const upload = (who: Who, bytes: Uint8Array, name: string, sent: Sent = {}) =>
  ask(
    who,
    `/offers/${sent.id ?? offer}/attachments`,
    { method: 'POST', body: formOf(bytes, name), headers: sent.headers ?? {} },
    sent.organization,
  )
const put = async (bytes: Uint8Array, name: string, who: Who = 'admin') => {
  const { status, text, body } = await upload(who, bytes, name)
  expect(status, text).toBe(201)
  return body
}
const pathOf = ({ id }: { id: string }) => `/offers/${offer}/attachments/${id}`
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
]
const keys = async () => (await portal.objects.list('', { limit: 1000 })).map(({ key }) => key)
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an attachment', () => {
  it('of each kind is kept and read again as it was', async () => {
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      const made = await put(bytes, name)
      expect(made).toMatchObject({ name, bytes: bytes.length, sha256: hash(bytes) })
      const read = await ask('viewer', pathOf(made))
      expect(read.status).toBe(200)
      expect(read.bytes.equals(bytes), name).toBe(true)
      expect(read.headers.get('content-type')?.split(';')[0]).toBe(made.mediaType)
      expect(read.headers.get('content-length')).toBe(String(bytes.length))
      expect(read.headers.get('x-content-type-options')).toBe('nosniff')
      expect(read.headers.get('content-security-policy')).toContain('sandbox')
      expect(read.headers.get('content-disposition')).toContain(`filename*=UTF-8''${name}`)
    }
  })

  it('is listed page by page, and a cursor is that of its list alone', async () => {
    for (let at = 0; at < 5; at += 1) await put(makePdf(`${at}`), `${at}.pdf`)
    const first = await ask('viewer', `/offers/${offer}/attachments?limit=4`)
    expect(first.body).toMatchObject({ hasMore: true })
    const seen: string[] = first.body.data.map(({ id }: { id: string }) => id)
    let cursor: string = first.body.nextCursor
    for (let pages = 0; cursor && pages < 20; pages += 1) {
      const path = `/offers/${offer}/attachments?limit=4&cursor=${cursor}`
      const { body } = await ask('viewer', path)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
    expect(seen.length).toBeGreaterThanOrEqual(5)
    const { nextCursor } = first.body
    const changed = `${nextCursor.slice(0, -1)}${nextCursor.endsWith('A') ? 'B' : 'A'}`
    for (const path of [
      `/offers/${offer}/attachments?cursor=${changed}`,
      `/offers?cursor=${nextCursor}`,
    ])
      expect(codeOf(await ask('viewer', path))).toEqual([400, 'invalid_cursor'])
    const other = await ask(
      'sales',
      `/offers/${draft}/attachments?cursor=${nextCursor}`,
      {},
      world.direct,
    )
    expect(codeOf(other)).toEqual([400, 'invalid_cursor'])
  })

  it('is there for those who see the offer, and for nobody else', async () => {
    const made = await put(SAMPLES['Terms.pdf'] ?? Buffer.alloc(0), 'Secret.pdf')
    const before = await keys()
    for (const [who, organization] of [
      ['soldAdmin', undefined],
      ['reseller', world.direct],
      ['reseller', world.sold],
      ['sales', world.sold],
    ] as const)
      for (const [path, method] of [
        [pathOf(made), 'GET'],
        [pathOf(made), 'DELETE'],
        [`/offers/${offer}/attachments`, 'GET'],
      ] as const)
        expect((await ask(who, path, { method }, organization)).status, who).toBe(404)
    const pdf = makePdf()
    expect(codeOf(await upload('soldAdmin', pdf, 'x.pdf'))).toEqual([404, 'not_found'])
    expect(codeOf(await upload('viewer', pdf, 'x.pdf'))).toEqual([403, 'forbidden'])
    // A draft is not there for the customer, and neither are its files.
    const sold = { id: draft, organization: world.direct }
    const inDraft = await upload('sales', pdf, 'x.pdf', sold)
    expect(inDraft.status).toBe(201)
    expect((await ask('admin', `/offers/${draft}/attachments`)).status).toBe(404)
    const elsewhere = `/offers/${offer}/attachments/${inDraft.body.id}`
    expect((await ask('admin', elsewhere)).status).toBe(404)
    expect((await upload('admin', pdf, 'x.pdf', { id: draft })).status).toBe(404)
    expect((await keys()).length).toBe(before.length + 1)
  })

  it('is taken away with its bytes by who may, and the audit tells it', async () => {
    const byCustomer = await put(makePdf('mine'), 'Order.pdf')
    const bySeller = await upload('sales', makePdf('ours'), 'Terms.pdf', {
      organization: world.direct,
    })
    expect([byCustomer.by, bySeller.body.by]).toEqual(['customer', 'seller'])
    const method = 'DELETE'
    const refused = await ask('admin', pathOf(bySeller.body), { method })
    expect(codeOf(refused)).toEqual([403, 'forbidden'])
    expect((await ask('viewer', pathOf(byCustomer), { method })).status).toBe(403)
    const before = await keys()
    expect((await ask('admin', pathOf(byCustomer), { method })).status).toBe(204)
    expect((await ask('sales', pathOf(bySeller.body), { method }, world.direct)).status).toBe(204)
    for (const gone of [byCustomer, bySeller.body])
      expect(codeOf(await ask('admin', pathOf(gone)))).toEqual([404, 'not_found'])
    expect((await keys()).length).toBe(before.length - 2)
    const audit = await portal.ask({ path: '/audit?limit=200', as: portal.operator })
    const told = audit.body.data.filter(
      ({ action, target }: { action: string; target: string }) =>
        action === 'deleteAttachment' && target === byCustomer.id,
    )
    expect(told).toMatchObject([{ result: 'done' }])
  })

  it('answers conditions, ranges and HEAD', async () => {
    const bytes = makePdf(Buffer.alloc(300_000, 'abcdefghij'))
    const made = await put(bytes, 'Large.pdf')
    const read = (headers: Record<string, string>, method = 'GET') =>
      ask('viewer', pathOf(made), { headers, method })
    const etag = (await read({})).headers.get('etag') ?? ''
    expect(etag).toBe(`"${hash(bytes)}"`)
    for (const list of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
      const { status, text } = await read({ 'if-none-match': list })
      expect([status, text], list).toEqual([304, ''])
    }
    expect((await read({ 'if-none-match': '"x"' })).status).toBe(200)
    const last = bytes.length - 1
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-99999', 10, 99_999],
      ['bytes=100000-', 100_000, last],
      ['bytes=-7', last - 6, last],
      ['bytes=5-999999999999999', 5, last],
      ['bytes=-999999999999', 0, last],
      [`bytes=7-${'9'.repeat(400)}`, 7, last],
      [`bytes=-${'9'.repeat(400)}`, 0, last],
    ] as const) {
      const part = await read({ range })
      expect(part.status, range).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${bytes.length}`)
      expect(part.bytes.equals(bytes.subarray(from, to + 1)), range).toBe(true)
    }
    for (const range of [
      ...['bytes=5-2', 'bytes=0-1,3-4', 'bytes=-', 'items=0-1', 'bytes=a-b', 'bytes=1e3-'],
      `bytes=${'0-1,'.repeat(500)}5-6`,
    ]) {
      const whole = await read({ range })
      expect([whole.status, whole.bytes.length], range).toEqual([200, bytes.length])
    }
    for (const range of [
      ...[`bytes=${bytes.length}-`, 'bytes=999999999999-', 'bytes=-0'],
      ...['bytes=99999999999999999999-', `bytes=${'9'.repeat(400)}-${'9'.repeat(401)}`],
    ]) {
      const outside = await read({ range })
      expect(codeOf(outside), range).toEqual([416, 'range_not_satisfiable'])
      expect(outside.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    }
    expect((await read({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(206)
    expect((await read({ range: 'bytes=0-0', 'if-range': '"x"' })).status).toBe(200)
    const head = await read({}, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      ...[200, ''],
      String(bytes.length),
    ])
  })

  it('is put once with a key, however often it is sent, and under whatever boundary', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await upload('admin', makePdf('one'), 'One.pdf', { headers })
    const before = await keys()
    const again = await Promise.all(
      Array.from({ length: 4 }, () => upload('admin', makePdf('one'), 'One.pdf', { headers })),
    )
    for (const { status, text, headers: told } of again) {
      expect([status, text]).toEqual([201, first.text])
      expect(told.get('idempotent-replayed')).toBe('true')
    }
    for (const [bytes, name] of [
      [makePdf('two'), 'One.pdf'],
      [makePdf('one'), 'Two.pdf'],
    ] as const) {
      const other = await upload('admin', bytes, name, { headers })
      expect(codeOf(other)).toEqual([422, 'idempotency_key_reused'])
    }
    expect(await keys()).toEqual(before)
    const fresh = { headers: { 'idempotency-key': 'at one moment' } }
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => upload('admin', makePdf('race'), 'Race.pdf', fresh)),
    )
    expect(new Set(tries.map(({ body }) => body.id)).size).toBe(1)
    expect((await keys()).length).toBe(before.length + 1)
  })
})

it('an attachment of an offer that was decided is taken away by who sells alone', async () => {
  const content = { lines: [{ item: 'logs', quantity: '1' }] }
  const body = { title: 'Logs', content, validUntil: '2035-01-01T00:00:00Z', plan: PLAN }
  const { id } = (await ask('sales', '/offers', { body }, world.direct)).body
  await ask('sales', `/offers/${id}/send`, { method: 'POST' }, world.direct)
  const order = (await upload('admin', makePdf('order'), 'Order.pdf', { id })).body
  expect((await ask('admin', `/offers/${id}/accept`, { method: 'POST' })).status).toBe(200)
  const path = `/offers/${id}/attachments/${order.id}`
  const method = 'DELETE'
  expect(codeOf(await ask('admin', path, { method }))).toEqual([409, 'offer_decided'])
  expect((await ask('viewer', path)).status).toBe(200)
  // What belongs to it may still come.
  expect((await upload('admin', makePdf('number'), 'Number.pdf', { id })).status).toBe(201)
  expect((await ask('sales', path, { method }, world.direct)).status).toBe(204)
})

describe('what is left behind', () => {
  it('by a process that was killed goes after a day, and nothing else does', async () => {
    const made = await put(makePdf('stays'), 'Stays.pdf')
    await portal.objects.put(
      'attachments/orphan',
      (async function* () {
        yield Buffer.from('left')
      })(),
    )
    // By the clock of the folder that keeps it.
    const [orphan] = await portal.objects.list('attachments/orphan', { limit: 1 })
    const bornMs = orphan?.modifiedMs ?? 0
    const { signal } = new AbortController()
    const clean = (aheadMs: number) =>
      cleanAttachments({ ...portal, clock: { nowMs: () => bornMs + aheadMs } }, signal)
    expect(await clean(23 * 3_600_000)).toBe(0)
    expect(await clean(25 * 3_600_000)).toBe(1)
    expect(await portal.objects.head('attachments/orphan')).toBeUndefined()
    expect((await ask('viewer', pathOf(made))).status).toBe(200)
  })

  it('by an upload that fails is nothing', async () => {
    const before = await keys()
    const list = () => ask('viewer', `/offers/${offer}/attachments?limit=200`)
    const { length } = (await list()).body.data
    const raw = (body: Buffer, type = 'multipart/form-data; boundary=b') =>
      ask('admin', `/offers/${offer}/attachments`, {
        ...{ method: 'POST', body, headers: { 'content-type': type } },
      })
    const part = (bytes: Buffer | string, fields = 'name="file"; filename="a.pdf"', more = '') =>
      Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: form-data; ${fields}\r\n`),
        Buffer.from(`Content-Type: application/octet-stream\r\n${more}\r\n`),
        Buffer.from(bytes),
        Buffer.from('\r\n'),
      ])
    const end = Buffer.from('--b--\r\n')
    const pdf = makePdf()
    const whole = Buffer.concat([part(pdf), end])
    expect((await raw(whole)).status).toBe(201)
    const bad: [string, Buffer][] = [
      ['no end', part(pdf)],
      ['cut in the file', part(pdf).subarray(0, 150)],
      ['cut in the head', whole.subarray(0, 30)],
      ['two files', Buffer.concat([part(pdf), part(pdf), end])],
      ['a field', Buffer.concat([part(pdf), part('x', 'name="note"'), end])],
      ['a field first', Buffer.concat([part('x', 'name="note"'), part(pdf), end])],
      ['another name', Buffer.concat([part(pdf, 'name="files"; filename="a.pdf"'), end])],
      ['no file name', Buffer.concat([part(pdf, 'name="file"'), end])],
      ['an empty file name', Buffer.concat([part(pdf, 'name="file"; filename=""'), end])],
      ['no part', end],
      ['nothing', Buffer.alloc(0)],
      [
        'another boundary',
        Buffer.from(whole.toString('latin1').replaceAll('--b', '--c'), 'latin1'),
      ],
      [
        'a coding',
        Buffer.concat([part('JVBERg==', undefined, 'Content-Transfer-Encoding: base64\r\n'), end]),
      ],
    ]
    for (const [what, body] of bad)
      expect(codeOf(await raw(body)), what).toEqual([400, 'invalid_upload'])
    expect(codeOf(await raw(whole, 'multipart/form-data'))[0]).toBe(415)
    for (const type of ['application/json', 'application/pdf', 'multipart/mixed; boundary=b'])
      expect(codeOf(await raw(whole, type)), type).toEqual([415, 'unsupported_media_type'])
    const large = Buffer.alloc(25 * MIB + 1, 'a')
    expect(codeOf(await upload('admin', large, 'large.txt'))).toEqual([413, 'too_large'])
    expect((await keys()).length).toBe(before.length + 1)
    expect((await list()).body.data.length).toBe(length + 1)
  })
})

describe('through a socket', () => {
  const serve = () =>
    open({ ...portal.app, streamsBody: findStreamedRoutes(portal.app.routes) }, 'node')
  const headOf = (length: string) =>
    [
      `POST /api/portal/v1/offers/${offer}/attachments HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${world.sessions.admin}`,
      'Content-Type: multipart/form-data; boundary=b',
      ...[length, '', ''],
    ].join('\r\n')
  const begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n'

  it('25 MiB are taken, and 26 are refused unread', async () => {
    const server = await serve()
    const url = `http://127.0.0.1:${server.port}/api/portal/v1/offers/${offer}/attachments`
    const headers = { authorization: `Bearer ${world.sessions.admin}` }
    const bytes = Buffer.alloc(25 * MIB, 'a line of text\n')
    const post = (body: FormData) => fetch(url, { method: 'POST', headers, body })
    const form = formOf(bytes, 'large.txt', 'text/plain')
    const files = (await portal.objects.list('', { limit: 1000 })).length
    const answer = await post(form)
    expect([answer.status, (await answer.json()) as object]).toMatchObject([
      ...[201, { sha256: hash(bytes), bytes: bytes.length }],
    ])
    const { text } = await talk(server.port, [headOf(`Content-Length: ${26 * MIB}`)])
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"too_large"/)
    const chunked = await post(formOf(Buffer.alloc(26 * MIB, 'b'), 'more.txt'))
    expect(chunked.status).toBe(413)
    expect((await portal.objects.list('', { limit: 1000 })).length).toBe(files + 1)
  })

  it('a body that is shorter than it says, or comes in drops, is one or nothing', async () => {
    const server = await serve()
    const files = (await portal.objects.list('', { limit: 1000 })).length
    const socket = connect(server.port, '127.0.0.1')
    socket.resume().end(`${headOf('Content-Length: 5000')}${begin}half of it`)
    await once(socket, 'close')
    const body = `${begin}slow but whole\r\n--b--\r\n`
    const drops = [...body].map((one) => one)
    const sent = [headOf(`Content-Length: ${body.length}`), ...drops]
    const { text } = await talk(server.port, sent, (seen) => seen.includes('\r\n\r\n'))
    expect(text).toMatch(/^HTTP\/1\.1 201 /)
    const count = async () => (await portal.objects.list('', { limit: 1000 })).length
    await expect.poll(count, SOON).toBe(files + 1)
  })

  it('nothing is read for who may not', async () => {
    const server = await serve()
    const head = headOf(`Content-Length: ${20 * MIB}`).replace(/Bearer \S+/, 'Bearer ses_no')
    const { text } = await talk(server.port, [head + begin])
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })
})
