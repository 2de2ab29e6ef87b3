import { beforeAll, describe, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeWorld, type World } from '../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { TEST_DATE_MS } from '../../support/run/test-clock.ts'

/** Of an offer in these tests; moved by the last one. */
const clock = makeManualClock(TEST_DATE_MS)
let portal: TestPortal
let world: World
const PLAN = {
  ...{ name: 'Team', volumeBytesPerDay: 5_000_000_000, features: [] },
  creditPricePerGib: '0.10',
}
/** An offer that changes no licence. */
const SERVICE = { plan: null, license: { kind: 'none' } }
const VALID = '2035-01-01T00:00:00.000Z'
const perUnit = (unitPrice: string, fields = {}) => ({
  ...{ model: { kind: 'per_unit', unitPrice }, ...fields },
})
/** Of the customers' currency, EUR. */
const GRANTS = {
  ...{ currency: 'EUR', credit: '500', volumeBytesPerDay: 10_000_000_000 },
  leastCreditPricePerGib: '0.10',
}
const bookOf = (version: string, unitPrice: string) =>
  makeDocument(
    [
      makeItem('logs', [perUnit(unitPrice, { per: 'month' })]),
      makeItem('training', [perUnit('33.33')]),
      makeItem('northern', [perUnit('3', { channel: 'north' })]),
    ],
    {
      version,
      channels: [{ id: 'north', name: 'North' }],
      terms: [{ id: 'half', name: '6 months', months: 6, discountPercent: '7' }],
      discountLimits: [
        { role: 'sales', percent: '20' },
        { role: 'channel', percent: '5' },
      ],
      grantLimits: [GRANTS],
    },
  )
const CONTENT = {
  lines: [
    { item: 'logs', quantity: '7' },
    { item: 'training', quantity: '3' },
  ],
  ...{ term: 'half', currency: 'USD' },
}

beforeAll(async () => {
  portal = await makeTestPortal({ clock })
  world = await makeWorld(portal)
  const body = bookOf('1', '10.01')
  const made = await portal.ask({ path: '/price-books', as: portal.operator, body })
  expect(made.status).toBe(201)
})

type Who = keyof World['sessions']
const call = (who: Who, path: string, body?: object, method?: string, organization?: string) =>
  portal.ask({
    ...{ path, as: world.sessions[who], body },
    ...(method === undefined ? {} : { method }),
    headers: organization === undefined ? {} : { 'x-organization-id': organization },
  })
const draft = async (fields: object = {}, organization = world.direct) => {
  const body = { title: 'Logs', content: CONTENT, validUntil: VALID, plan: PLAN, ...fields }
  return await call('sales', '/offers', body, 'POST', organization)
}
const act = (who: Who, id: string, verb: string, organization?: string) =>
  call(who, `/offers/${id}/${verb}`, undefined, 'POST', organization)
const sent = async (fields: object = {}): Promise<string> => {
  const made = await draft(fields)
  expect(made.status, made.text).toBe(201)
  expect((await act('sales', made.body.id, 'send', world.direct)).status).toBe(200)
  return made.body.id
}
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
]

describe('a draft', () => {
  it('is priced at each change, which makes a version, and is seen by sellers alone', async () => {
    const made = await draft()
    expect([made.status, made.body.state, made.body.version]).toEqual([201, 'draft', 1])
    const { id } = made.body
    const cents = (text: string) => Number(text.replace('.', ''))
    const { lines, totals } = made.body.quote
    const nets = lines.map(({ net }: { net: string }) => cents(net))
    expect(nets.reduce((sum: number, net: number) => sum + net, 0)).toBe(cents(totals.net))
    const change = { content: { ...CONTENT, discount: { kind: 'percent', value: '20' } } }
    const changed = await call('sales', `/offers/${id}`, change, 'PATCH', world.direct)
    expect([changed.status, changed.body.version]).toEqual([200, 2])
    expect(cents(changed.body.quote.totals.net)).toBeLessThan(cents(totals.net))
    for (const who of ['admin', 'viewer', 'soldAdmin'] as const) {
      expect(codeOf(await call(who, `/offers/${id}`))).toEqual([404, 'not_found'])
      const listed: { id: string }[] = (await call(who, '/offers?limit=200')).body.data
      expect(listed.map((it) => it.id)).not.toContain(id)
    }
    expect(codeOf(await act('admin', id, 'accept'))).toEqual([404, 'not_found'])
    const reseller = await call('reseller', `/offers/${id}`, undefined, 'GET', world.sold)
    expect(reseller.status).toBe(404)
  })

  it('is refused where it cannot be priced, and takes no field that is not its own', async () => {
    const above = { ...CONTENT, discount: { kind: 'percent', value: '21' } }
    const refused = await draft({ content: above })
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      422,
      { code: 'discount_above_limit' },
    ])
    const foreign = await draft({ content: { lines: [{ item: 'northern', quantity: '1' }] } })
    expect(foreign.body.errors[0]).toMatchObject({
      ...{ pointer: '/content/lines/0/item', code: 'unknown_item' },
    })
    for (const field of ['state', 'version', 'quote', 'organizationId', 'licenseId', 'id']) {
      const { status, body } = await draft({ [field]: 'accepted' })
      expect([status, body.errors[0].pointer]).toEqual([400, `/${field}`])
    }
    expect(codeOf(await draft({}, world.vendor))).toEqual([400, 'organization_needed'])
    const body = { title: 'Mine', content: CONTENT, validUntil: VALID }
    for (const who of ['admin', 'viewer'] as const)
      expect(codeOf(await call(who, '/offers', body))).toEqual([403, 'forbidden'])
  })

  it('of a channel gets its plan from the staff, and loses it when the channel changes it', async () => {
    const { sold } = world
    const body = { title: 'Sold', content: CONTENT, validUntil: VALID }
    const planned = await call('reseller', '/offers', { ...body, plan: PLAN }, 'POST', sold)
    expect(codeOf(planned)).toEqual([403, 'forbidden'])
    expect(codeOf(await call('reseller', '/offers', body, 'POST', world.direct))[0]).toBe(404)
    const { body: made } = await call('reseller', '/offers', body, 'POST', sold)
    const lacking = await act('reseller', made.id, 'send', sold)
    expect([...codeOf(lacking), lacking.body.errors[0].pointer]).toEqual([
      422,
      'offer_incomplete',
      '/plan',
    ])
    const path = `/offers/${made.id}`
    const set = await call('sales', path, { plan: PLAN, credit: '50' }, 'PATCH', sold)
    expect([set.body.plan, set.body.credit]).toEqual([PLAN, '50'])
    const less = { content: { ...CONTENT, lines: [{ item: 'northern', quantity: '1' }] } }
    const changed = await call('reseller', path, less, 'PATCH', sold)
    expect([changed.status, changed.body.plan, changed.body.credit]).toEqual([200, null, null])
    await call('sales', path, { plan: PLAN }, 'PATCH', sold)
    expect((await act('reseller', made.id, 'send', sold)).body.state).toBe('sent')
    expect((await call('soldAdmin', path)).body.quote.lines[0].item).toBe('northern')
    expect((await call('admin', path)).status).toBe(404)
  })
})

describe('plan and credits above the limits of the price book', () => {
  const read = (id: string) => call('sales', `/offers/${id}`, undefined, 'GET', world.direct)

  it.each([
    ['credits', { credit: '99999999' }],
    ['credits by a cent', { credit: '500.01' }],
    ['volume', { plan: { ...PLAN, volumeBytesPerDay: 10_000_000_001 } }],
    ['a plan without a limit', { plan: { ...PLAN, volumeBytesPerDay: 0 } }],
    ['a low price of usage', { plan: { ...PLAN, creditPricePerGib: '0.05' } }],
    ['usage for nothing', { plan: { ...PLAN, creditPricePerGib: undefined } }],
    [
      'credits off the total',
      { content: { ...CONTENT, credits: [{ name: 'Gift', amount: '1' }] } },
    ],
  ])('are sent by an operator alone: %s', async (_, fields) => {
    const made = await draft(fields)
    expect([made.status, made.body.approval]).toEqual([201, null])
    const { id } = made.body
    expect(codeOf(await act('sales', id, 'send', world.direct))).toEqual([403, 'approval_needed'])
    expect((await read(id)).body).toMatchObject({ state: 'draft', version: 1, approval: null })
    const approved = await act('staff', id, 'send', world.direct)
    expect([approved.status, approved.body.approval]).toEqual([200, 'operator'])
  })

  it('are given on acceptance once an operator sent them', async () => {
    const { id } = (await draft({ credit: '99999999' }, world.sold)).body
    expect((await act('staff', id, 'send', world.sold)).status).toBe(200)
    expect((await act('soldAdmin', id, 'accept')).status).toBe(200)
    expect((await call('soldAdmin', '/credits')).body.grants[0].amount).toBe('99999999.00')
  })

  it('are approved by an operator who makes the draft, until somebody else changes it', async () => {
    const { id } = (await draft({ credit: '501' })).body
    const path = `/offers/${id}`
    const set = await call('staff', path, { title: 'Logs, approved' }, 'PATCH', world.direct)
    expect(set.body.approval).toBe('operator')
    const changed = await call('sales', path, { title: 'Logs' }, 'PATCH', world.direct)
    expect(changed.body.approval).toBe(null)
    expect(codeOf(await act('sales', id, 'send', world.direct))).toEqual([403, 'approval_needed'])
    await call('staff', path, { title: 'Logs, approved' }, 'PATCH', world.direct)
    const done = await act('sales', id, 'send', world.direct)
    expect([done.status, done.body.approval]).toEqual([200, 'operator'])
  })

  it('are not sent by a channel that got them of sales', async () => {
    const body = { title: 'Sold', content: CONTENT, validUntil: VALID }
    const { id } = (await call('reseller', '/offers', body, 'POST', world.sold)).body
    const given = { license: { kind: 'none' }, credit: '501' }
    await call('sales', `/offers/${id}`, given, 'PATCH', world.sold)
    expect(codeOf(await act('reseller', id, 'send', world.sold))).toEqual([403, 'approval_needed'])
  })

  it('are not given by an offer that nobody approved', async () => {
    const id = await sent()
    await portal.database.write((transaction) =>
      transaction
        .updateTable('offer_versions')
        .set({ approval: null })
        .where('offer_id', '=', id)
        .execute(),
    )
    expect(codeOf(await act('admin', id, 'accept'))).toEqual([403, 'approval_needed'])
  })

  it('are judged by the price book in force when the offer is sent', async () => {
    const { id, approval } = (await draft({ credit: '500' })).body
    expect(approval).toBe('price_book')
    const strict = { ...bookOf('strict', '10.01'), id: 'strict', grantLimits: [] }
    clock.advance(1000)
    const as = portal.operator
    expect((await portal.ask({ path: '/price-books', as, body: strict })).status).toBe(201)
    expect(codeOf(await act('sales', id, 'send', world.direct))).toEqual([403, 'approval_needed'])
    const body = { ...bookOf('1', '10.01'), id: 'again' }
    clock.advance(1000)
    expect((await portal.ask({ path: '/price-books', as, body })).status).toBe(201)
    expect((await act('sales', id, 'send', world.direct)).body.approval).toBe('price_book')
  })
})

describe('an offer that was sent', () => {
  it('stays as it was, whatever price book comes', async () => {
    const id = await sent()
    const before = await call('admin', `/offers/${id}`)
    expect(before.body).toMatchObject({ state: 'sent', quote: { priceBook: { version: '1' } } })
    const body = bookOf('2', '99')
    // The newest book holds.
    clock.advance(1)
    expect((await portal.ask({ path: '/price-books', as: portal.operator, body })).status).toBe(201)
    expect((await draft()).body.quote.priceBook.version).toBe('2')
    expect((await call('viewer', `/offers/${id}`)).text).toBe(before.text)
    const change = await call('sales', `/offers/${id}`, { title: 'x' }, 'PATCH', world.direct)
    expect(codeOf(change)).toEqual([409, 'offer_decided'])
  })

  it('is accepted once by an administrator, from two portals at one moment', async () => {
    const id = await sent({ credit: '120.50' })
    expect(codeOf(await act('viewer', id, 'accept'))).toEqual([403, 'forbidden'])
    expect(codeOf(await act('sales', id, 'accept', world.direct))).toEqual([403, 'forbidden'])
    expect(codeOf(await act('soldAdmin', id, 'accept'))).toEqual([404, 'not_found'])
    const other = await portal.another()
    const as = world.sessions.admin
    const path = `/offers/${id}/accept`
    const tries = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? portal : other).ask({ method: 'POST', path, as }),
    )
    const answers = await Promise.all(tries)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [licenseId, ...more] = new Set(answers.map(({ body }) => body.licenseId))
    expect(more).toEqual([])
    const { body } = await call('admin', '/licenses')
    expect(body.data.map((it: { id: string }) => it.id)).toEqual([licenseId])
    expect(body.data[0]).toMatchObject({ name: 'Logs', plan: PLAN, state: 'active' })
    const months = Date.parse(body.data[0].validTo) - Date.parse(body.data[0].validFrom)
    expect(Math.round(months / 86_400_000 / 30)).toBe(6)
    const credits = await call('admin', '/credits')
    expect(credits.body.grants).toMatchObject([{ amount: '120.50', source: `offer ${id}` }])
    const zero = await draft({ credit: '0.00' })
    expect([zero.status, zero.body.errors[0].pointer]).toEqual([400, '/credit'])
    expect(codeOf(await act('admin', id, 'reject'))).toEqual([409, 'offer_decided'])
  })

  it('is rejected with a reason, and then accepted by nobody', async () => {
    const id = await sent(SERVICE)
    expect(codeOf(await act('soldAdmin', id, 'reject'))).toEqual([404, 'not_found'])
    const reject = (body: object) => call('admin', `/offers/${id}/reject`, body)
    for (const body of [{ because: 'x' }, { reason: '' }])
      expect(codeOf(await reject(body))).toEqual([400, 'invalid_request'])
    const reason = 'Too much of it'
    expect((await reject({ reason })).body).toMatchObject({
      ...{ state: 'rejected', rejectionReason: reason },
    })
    expect(
      (await call('sales', `/offers/${id}`, undefined, 'GET', world.direct)).body,
    ).toMatchObject({ rejectionReason: reason })
    expect(codeOf(await act('admin', id, 'accept'))).toEqual([409, 'offer_decided'])
  })
})

describe('an offer whose time has passed', () => {
  it('has expired, and is not accepted', async () => {
    const id = await sent({
      ...SERVICE,
      validUntil: new Date(clock.nowMs() + 10_000).toISOString(),
    })
    const state = async () => (await call('admin', `/offers/${id}`)).body.state
    clock.advance(9_999)
    expect(await state()).toBe('sent')
    clock.advance(1)
    expect(await state()).toBe('expired')
    expect(codeOf(await act('admin', id, 'accept'))).toEqual([409, 'offer_decided'])
    const late = await draft({ ...SERVICE, validUntil: '2020-01-01T00:00:00Z' })
    const refused = await act('sales', late.body.id, 'send', world.direct)
    expect(refused.body.errors[0].pointer).toBe('/validUntil')
  })
})
