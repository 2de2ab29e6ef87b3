// Every list of the portal, walked by its `Link` header while rows are added to it (decision 9.3).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { keepAlerts } from '../../../portal/license/status/keep-alerts.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeCustomer, PASSWORD } from '../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'
import { testClock } from '../../support/run/test-clock.ts'

const HOUR_MS = 3_600_000
const LAST_HOUR = Math.floor(testClock.nowMs() / HOUR_MS) - 1
const FAR = '2035-01-01T00:00:00Z'
const PLAN = { name: 'P', volumeBytesPerDay: 1 }
const ROWS = 3
const MAX_PAGES = 60
const RAISED_MS = Date.UTC(2026, 0, 1)
let sink: MailSink
let portal: TestPortal
let customer: Awaited<ReturnType<typeof makeCustomer>>
let licenseKey = ''
let offerId = ''

beforeAll(async () => {
  sink = await startMailSink()
  portal = await makeTestPortal({ mailUrl: sink.url })
  customer = await makeCustomer(portal)
  const model = { kind: 'per_unit', unitPrice: '1' } as const
  await must('/price-books', makeDocument([makeItem('logs', [{ model }])]))
  const license = { organizationId: customer.id, name: 'First', plan: PLAN, validTo: FAR }
  licenseKey = (await must('/licenses', license)).licenseKey
  offerId = (await makeOffer(0)).id
})

afterAll(() => sink.close())

const of = () => ({ 'x-organization-id': customer.id })
async function must(path: string, body: unknown, as = portal.operator, headers = {}) {
  const { status, text, body: told } = await portal.ask({ path, body, as, headers })
  expect(status, text).toBeLessThan(300)
  return told
}
const makeOffer = (at: number) => {
  const content = { lines: [{ item: 'logs', quantity: '1' }] }
  const draft = { title: `Offer ${at}`, content, validUntil: FAR, plan: PLAN }
  return must('/offers', draft, portal.operator, of())
}
const report = (at: number) => ({
  ...{ fingerprint: `listed-${at}-000`, name: `D ${at}`, version: '1', layout: 'X8' },
  meters: [{ hour: new Date(LAST_HOUR * HOUR_MS).toISOString(), events: 1, bytes: 1 }],
})

/** What adds a row to each list; `as`: who reads it, default the operator for the customer. */
const LISTS: Readonly<
  Record<string, { readonly add: (at: number) => Promise<unknown>; readonly as?: 'admin' }>
> = {
  '/organizations': { add: (at) => must('/organizations', { name: `Listed ${at}` }) },
  '/licenses': {
    add: (at) =>
      must('/licenses', {
        ...{ organizationId: customer.id, name: `L ${at}`, plan: PLAN, validTo: FAR },
      }),
  },
  '/people': {
    add: (at) => {
      const person = { email: `p${at}@listed.test`, name: 'P', role: 'customer_viewer' }
      return must('/people', person, portal.operator, of())
    },
  },
  '/operator-tokens': { add: (at) => must('/operator-tokens', { name: `T ${at}` }) },
  '/api-keys': {
    add: (at) => must('/api-keys', { name: `K ${at}`, scopes: ['usage:read'] }, admin()),
  },
  '/deployments': { add: (at) => must('/deployments/heartbeat', report(at), licenseKey) },
  '/usage?granularity=hour': {
    add: (at) => must('/deployments/heartbeat', report(100 + at), licenseKey),
  },
  '/credits/movements': {
    add: (at) => must('/credits/grants', { amount: '1', source: `${at}` }, portal.operator, of()),
  },
  '/offers': { add: (at) => makeOffer(at) },
  '/offers/{offerId}/attachments': {
    add: (at) => {
      const form = new FormData()
      form.append('file', new Blob([`a,b\n1,${at}\n`], { type: 'text/csv' }), `${at}.csv`)
      return must(`/offers/${offerId}/attachments`, form, portal.operator, of())
    },
  },
  '/price-books': {
    add: (at) => {
      const model = { kind: 'per_unit', unitPrice: `${at + 2}` } as const
      const book = makeDocument([makeItem('logs', [{ model }])])
      return must('/price-books', { ...book, version: `listed-${at}` })
    },
  },
  '/webhooks': {
    add: (at) => {
      const hook = { url: `https://hooks.example.com/${at}`, events: ['offer.sent'] }
      return must('/webhooks', hook, admin())
    },
    as: 'admin',
  },
  '/sessions': {
    add: async (at) => {
      const body = { email: 'admin@customer.test', password: PASSWORD }
      const begun = await portal.ask({ path: '/session', body, address: `198.51.100.${at}` })
      expect(begun.status, begun.text).toBe(201)
    },
    as: 'admin',
  },
  '/license/alerts': {
    // They are raised by time.
    add: (at) =>
      portal.database.write((transaction) =>
        keepAlerts(transaction, customer.id, [
          {
            ...{ code: 'plan_exceeded', severity: 'warning', subject: null, message: `${at}` },
            ...{ sinceMs: RAISED_MS + at, lastHeldMs: RAISED_MS + at, clearedMs: RAISED_MS + at },
          },
        ]),
      ),
  },
  '/audit': { add: (at) => must('/organizations', { name: `Audited ${at}` }), as: 'admin' },
}
const admin = () => customer.admin
const page = z.object({
  data: z.array(z.unknown()),
  nextCursor: z.string().nullable(),
  hasMore: z.boolean(),
})

it.each(Object.keys(LISTS))('%s shows each row once while rows are added', async (list) => {
  const { add, as } = LISTS[list] ?? {}
  const path = list.replace('{offerId}', offerId)
  const who = as === 'admin' ? { as: admin() } : { as: portal.operator, headers: of() }
  let made = 0
  for (; made < ROWS; made += 1) await add?.(made)
  const separator = path.includes('?') ? '&' : '?'
  const read = async (from: string) => {
    const { status, text, headers, body } = await portal.ask({ path: from, ...who })
    expect(status, text).toBe(200)
    const { data, nextCursor, hasMore } = page.parse(body)
    const link = headers.get('link')
    expect(hasMore).toBe(nextCursor !== null)
    if (nextCursor === null) expect(link).toBeNull()
    const next = link === null ? undefined : /^<(\/[^>]+)>; rel="next"$/.exec(link)?.[1]
    expect(next === undefined).toBe(nextCursor === null)
    return { rows: data.map((row) => JSON.stringify(row)), next }
  }
  const wanted = (await read(`${path}${separator}limit=200`)).rows
  expect(wanted.length).toBeGreaterThanOrEqual(ROWS)
  const seen: string[] = []
  let next: string | undefined = `${path}${separator}limit=2`
  for (let pages = 0; next !== undefined && pages < MAX_PAGES; pages += 1) {
    const { rows, next: following } = await read(next)
    expect(rows.length).toBeLessThanOrEqual(2)
    seen.push(...rows)
    next = following
    await add?.(made + pages)
  }
  expect(next).toBeUndefined()
  // The newest are first: what is added belongs before the first page.
  expect(seen).toEqual(wanted)
})

it('no list of the portal is missing here, and each tells of its Link', () => {
  const lists = portal.app.routes.flatMap((route) => {
    const { path, parameters, document } = route
    if (document === 'private' || parameters === undefined) return []
    if (!('cursor' in parameters.shape)) return []
    expect(document.answers[200]?.headers, path).toHaveProperty('Link')
    return [path.replace('/api/portal/v1', '')]
  })
  const walked = Object.keys(LISTS).map((it) => it.replace(/\?.*/, ''))
  // These are walked where messages are sent (portal-webhooks.test.ts).
  const others = ['/webhooks/{webhookId}/messages', '/webhooks/{webhookId}/attempts']
  expect(lists.sort()).toEqual([...walked, ...others].sort())
})
