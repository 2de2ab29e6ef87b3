// What `logeye portal demo` leaves, as its callers see it.
import { beforeAll, describe, expect, it } from 'vitest'
import { fillDemo } from '../../../portal/demo/fill-demo.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { makeTestPortal, PUBLIC_URL, type TestPortal } from '../../support/portal/portal-place.ts'
import { testClock } from '../../support/run/test-clock.ts'

let portal: TestPortal
let printed = ''
const fill = () =>
  fillDemo(portal.database, {
    objects: portal.objects,
    ...{ clock: testClock, logger: silentLogger, folder: portal.folder },
    ...{ publicUrl: PUBLIC_URL, version: '1', seed: 1 },
  })
beforeAll(async () => {
  portal = await makeTestPortal()
  printed = await fill()
})

let from = 0
const signIn = async (email: string) => {
  const password = new RegExp(`${email} +(\\S+)$`, 'm').exec(printed)?.[1] ?? ''
  from += 1
  const address = `198.51.100.${from}`
  const { body, status } = await portal.ask({
    path: '/session',
    body: { email, password },
    address,
  })
  expect(status).toBe(201)
  const as: string = body.token
  return async (path: string) => (await portal.ask({ path, as })).body
}
type Row = Readonly<Record<string, unknown>>
const valuesOf = (rows: readonly Row[], field: string) => rows.map((row) => row[field]).sort()

describe('the demo', () => {
  it('prints sign-ins of each role, and calls that work', async () => {
    const roles = [...printed.matchAll(/ (customer_\w+|sales|channel|operator) +\S+@/g)]
    const told = new Set(roles.map(([, role]) => role))
    expect([...told].sort()).toEqual([
      ...['channel', 'customer_admin', 'customer_viewer', 'operator', 'sales'],
    ])
    const calls = [...printed.matchAll(/curl '([^']+)'(.*)$/gm)]
    expect(calls.length).toBe(3)
    for (const [, url = '', rest = ''] of calls) {
      const headers = [...rest.matchAll(/-H '([^:']+): ([^']+)'/g)]
      const body = /-d '([^']+)'/.exec(rest)?.[1]
      const { status } = await portal.ask({
        path: url.slice(PUBLIC_URL.length),
        headers: Object.fromEntries(
          headers.map(([, name = '', value = '']) => [name.toLowerCase(), value]),
        ),
        ...(body === undefined ? {} : { body }),
      })
      expect(status, url).toBe(200)
    }
  })

  it('has deployments that report, are silent, retired, and in conflict', async () => {
    const ada = await signIn('ada@harbour.example')
    const ann = await signIn('ann@lakeside.example')
    const own = (await ada('/deployments')).data
    expect(valuesOf(own, 'state')).toEqual(['registered', 'retired', 'silent'])
    const [clinic] = (await ann('/deployments')).data
    expect(valuesOf(clinic.alerts, 'code')).toEqual(['fingerprint_conflict'])
    const usage = (await ann('/usage?limit=200&from=2020-01-01T00:00:00Z')).data
    expect(new Set(valuesOf(usage, 'time')).size).toBeGreaterThanOrEqual(90)
  })

  it('has credits that are used up bit by bit, a forecast and alerts', async () => {
    const ann = await signIn('ann@lakeside.example')
    const status = await ann('/license/status')
    expect(status.forecast.creditsExhaustedOn).toMatch(/^\d{4}-/)
    const codes = valuesOf(status.alerts, 'code')
    for (const code of ['credits_low', 'fingerprint_conflict', 'license_expiring'])
      expect(codes).toContain(code)
    const movements = (await ann('/credits/movements?limit=200')).data
    const burns = movements.filter(({ kind }: Row) => kind === 'burn')
    expect(burns.length).toBeGreaterThanOrEqual(85)
    expect(new Set(valuesOf(burns, 'at')).size).toBeGreaterThan(20)
  })

  it('has two price books in two currencies, and offers in every state', async () => {
    const operator = portal.operator
    const books = await portal.ask({ path: '/price-books', as: operator })
    expect(valuesOf(books.body.data, 'isInForce')).toEqual([false, true])
    const list = await portal.ask({ path: '/pricing/catalog?currency=USD' })
    expect(list.body.currencies).toEqual(['EUR', 'USD'])
    const [customers] = [
      (await portal.ask({ path: '/organizations?kind=customer', as: operator })).body,
    ]
    const states: unknown[] = []
    for (const { id } of customers.data) {
      const headers = { 'x-organization-id': id }
      const offers = await portal.ask({ path: '/offers', as: operator, headers })
      states.push(...valuesOf(offers.body.data, 'state'))
    }
    expect([...new Set(states)].sort()).toEqual([
      'accepted',
      'draft',
      'expired',
      'rejected',
      'sent',
    ])
    const ned = await signIn('ned@north.example')
    expect((await ned('/organizations')).data).toHaveLength(2)
  })

  it('fills an empty portal alone', async () => {
    await expect(fill()).rejects.toMatchObject({ code: 'portal.not_empty' })
  })
})
