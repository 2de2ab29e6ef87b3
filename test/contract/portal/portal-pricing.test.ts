import { beforeAll, describe, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeWorld, type World } from '../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'

let portal: TestPortal
let world: World

const perUnit = (unitPrice: string, fields = {}) => ({
  ...{ model: { kind: 'per_unit', unitPrice }, ...fields },
})
const BOOK = makeDocument(
  [
    makeItem('logs', [
      perUnit('10'),
      perUnit('7', { channel: 'north' }),
      perUnit('9', { currency: 'EUR' }),
    ]),
    makeItem('northern', [perUnit('3', { channel: 'north' })]),
  ],
  {
    channels: [{ id: 'north', name: 'North' }],
    regions: [{ id: 'eu', name: 'Europe' }],
    discountLimits: [{ role: 'sales', percent: '20' }],
  },
)

const importBook = (body: object, as = portal.operator) =>
  portal.ask({ path: '/price-books', as, body })
const quoteOf = (body: object, as?: string, headers = {}) =>
  portal.ask({ path: '/pricing/quote', as, body, headers })
const line = (item: string, quantity = '2') => ({ lines: [{ item, quantity }] })

beforeAll(async () => {
  portal = await makeTestPortal()
  world = await makeWorld(portal)
  const none = await portal.ask({ path: '/pricing/catalog' })
  expect([none.status, none.body.message]).toEqual([404, 'there is no such price book in force'])
  expect((await importBook(BOOK)).status).toBe(201)
})

describe('price books', () => {
  it('never change, and tell every mistake with its place', async () => {
    expect((await importBook(BOOK)).status).toBe(200)
    const other = await importBook({ ...BOOK, effectiveTo: '2099-01-01' })
    expect([other.status, other.body.code]).toEqual([409, 'price_book_fixed'])
    const wrong = await importBook({
      ...{ ...BOOK, version: '2', currencies: ['USD', 'USD'] },
      items: [makeItem('logs', [perUnit('1', { region: 'mars' })])],
    })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'price_book_refused'])
    const pointers = wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(['/currencies/1', '/items/0/prices/0/region'])
    const shape = await importBook({ ...BOOK, surprise: 1, version: '' })
    expect(shape.status).toBe(400)
    expect(shape.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/surprise',
      '/version',
    ])
    const { admin, reseller, sales } = world.sessions
    for (const as of [admin, reseller, sales]) expect((await importBook(BOOK, as)).status).toBe(403)
    for (const as of [admin, reseller])
      expect((await portal.ask({ path: '/price-books', as })).status).toBe(403)
  })

  it('are in force from their day on, the one that began last first', async () => {
    const future = { ...BOOK, version: 'future', effectiveFrom: '2999-01-01' }
    const past = { ...BOOK, version: 'past', effectiveTo: '2026-02-01' }
    const earlier = { ...BOOK, version: 'earlier', effectiveFrom: '2020-01-01' }
    for (const book of [future, past, earlier]) {
      const made = await importBook(book)
      expect([made.status, made.body.isInForce]).toEqual([201, false])
    }
    const { body } = await portal.ask({ path: '/price-books', as: world.sessions.sales })
    const inForce = body.data.filter((it: { isInForce: boolean }) => it.isInForce)
    expect(inForce.map(({ version }: { version: string }) => version)).toEqual(['1'])
    const path = `/price-books/${inForce[0].id}`
    const read = await portal.ask({ path, as: world.sessions.sales })
    expect(read.body.document.items[1].sku).toBe('northern')
  })
})

describe('the catalog', () => {
  it('shows list prices to everybody and those of a channel to it alone', async () => {
    const open = await portal.ask({ path: '/pricing/catalog?currency=USD' })
    const skus = (body: { items: { sku: string }[] }) => body.items.map(({ sku }) => sku)
    expect(skus(open.body)).toEqual(['logs'])
    expect(open.text).not.toContain('north')
    const { soldAdmin, reseller, admin } = world.sessions
    for (const as of [soldAdmin, reseller]) {
      const sold = await portal.ask({ path: '/pricing/catalog?currency=USD', as })
      expect(skus(sold.body)).toEqual(['logs', 'northern'])
      expect(sold.body.items[0].price.model.unitPrice).toBe('7')
    }
    const direct = await portal.ask({ path: '/pricing/catalog', as: admin })
    expect([direct.body.currency, direct.body.region]).toEqual(['EUR', 'eu'])
    expect(direct.text).not.toContain('north')
    const asked = await portal.ask({ path: '/pricing/catalog?channel=north' })
    expect([asked.status, asked.body.errors[0].pointer]).toEqual([400, '/channel'])
    const region = await portal.ask({ path: '/pricing/catalog?region=mars' })
    expect([region.status, region.body.errors[0].code]).toEqual([422, 'unknown_region'])
  })

  it('is known again by its tag, in every process', async () => {
    const first = await portal.ask({ path: '/pricing/catalog' })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    const other = await portal.another()
    for (const tag of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const again = await other.ask({ path: '/pricing/catalog', headers: { 'if-none-match': tag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    const changed = { path: '/pricing/catalog?currency=EUR', headers: { 'if-none-match': etag } }
    expect((await other.ask(changed)).status).toBe(200)
  })
})

describe('a quote', () => {
  it('has the same bytes for the same state, and the prices of the profile', async () => {
    const other = await portal.another()
    const body = { ...line('logs', '3'), currency: 'USD' }
    const one = await quoteOf(body)
    expect([one.status, one.body.totals.due]).toEqual([200, '30.00'])
    const two = await other.ask({
      path: '/pricing/quote',
      body: { currency: 'USD', ...line('logs', '3') },
    })
    expect(two.text).toBe(one.text)
    expect((await quoteOf(body, world.sessions.reseller)).body.totals.due).toBe('21.00')
    const acting = { 'x-organization-id': world.sold }
    expect((await quoteOf(body, world.sessions.sales, acting)).body.totals.due).toBe('21.00')
    expect((await quoteOf(body, world.sessions.sales)).body.totals.due).toBe('30.00')
  })

  it('tells of an item of another channel what it tells of none', async () => {
    const told = async (item: string, as?: string) => {
      const { text, headers } = await quoteOf({ ...line(item), currency: 'USD' }, as)
      return text.replaceAll(headers.get('x-request-id') ?? '?', '')
    }
    const { admin } = world.sessions
    for (const as of [undefined, admin])
      expect((await told('northern', as)).replaceAll('northern', 'nothings')).toBe(
        await told('nothings', as),
      )
    expect((await quoteOf({ ...line('northern'), currency: 'USD' })).body).toMatchObject({
      ...{ status: 422, code: 'cannot_be_priced' },
      errors: [{ pointer: '/lines/0/item', code: 'unknown_item' }],
    })
  })

  it('takes off by hand what the role may', async () => {
    const body = { ...line('logs'), discount: { kind: 'percent', value: '20' }, currency: 'USD' }
    const acting = { 'x-organization-id': world.direct }
    expect((await quoteOf(body, world.sessions.sales, acting)).body.totals.due).toBe('16.00')
    for (const as of [undefined, world.sessions.admin]) {
      const refused = await quoteOf(body, as)
      expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'discount_above_limit'])
    }
  })

  it('compares several states, and tells where a request is wrong', async () => {
    const states = [line('logs', '1'), line('nothing'), line('logs', '4')]
    const many = await quoteOf({ states: states.map((it) => ({ ...it, currency: 'USD' })) })
    expect(many.body.outcomes.map(({ kind }: { kind: string }) => kind)).toEqual([
      'quoted',
      'refused',
      'quoted',
    ])
    expect(many.body.differences[2].due).toBe('30.00')
    const pointersOf = async (body: object) =>
      (await quoteOf(body)).body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(await pointersOf({ lines: [{ item: 'logs' }] })).toEqual(['/lines/0/quantity'])
    expect(await pointersOf({ states: [line('logs'), {}] })).toEqual(['/states/1/lines'])
    expect(await pointersOf({ ...line('logs'), channel: 'north' })).toEqual(['/channel'])
    expect((await quoteOf(line('logs'), world.sessions.viewer)).status).toBe(200)
  })
})
