import { expect, it } from 'vitest'
import { makeTestPortal } from '../../../support/portal/portal-place.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

const GIB = 2 ** 30
const DAY_MS = 86_400_000
const START = Date.parse('2026-09-25T00:00:00Z')

it('keeps the price of days that are over, whatever licence and price come after', async () => {
  const clock = makeManualClock(START)
  const portal = await makeTestPortal({ clock })
  const as = portal.operator
  const customer = await portal.ask({ path: '/organizations', as, body: { name: 'Customer' } })
  const organizationId: string = customer.body.id
  const headers = { 'x-organization-id': organizationId }
  const plan = (creditPricePerGib: string) => ({
    plan: { name: 'Team', volumeBytesPerDay: GIB, creditPricePerGib },
  })
  const license = async (price: string) => {
    const body = { organizationId, name: price, validTo: '2028-01-01T00:00:00Z', ...plan(price) }
    return (await portal.ask({ path: '/licenses', as, body })).body
  }
  const grant = { amount: '1000', source: 'test', priority: 1 }
  const give = () => portal.ask({ path: '/credits/grants', as, headers, body: grant })
  const burned = async () => {
    const { body } = await portal.ask({ path: '/credits', as, headers })
    return body.grants.reduce((sum: number, one: { burned: string }) => sum + Number(one.burned), 0)
  }
  const change = (id: string, body: object) =>
    portal.ask({ path: `/licenses/${id}`, method: 'PATCH', as, body })
  const first = await license('2')
  const report = async (day: number, gib: number) => {
    const meters = [
      { hour: new Date(START + day * DAY_MS).toISOString(), events: 1, bytes: gib * GIB },
    ]
    const about = { fingerprint: 'fingerprint-1', name: 'web', version: '1', layout: 'X8' }
    await portal.ask({
      ...{ path: '/deployments/heartbeat', as: first.licenseKey, body: { ...about, meters } },
    })
  }
  await give()
  await report(0, 10)
  clock.advance(DAY_MS)
  await give()
  expect(await burned()).toBe(20)
  const second = await license('0.5')
  await report(1, 10)
  clock.advance(DAY_MS)
  await give()
  expect(await burned()).toBe(25)
  await change(second.license.id, { state: 'suspended' })
  expect(await burned()).toBe(25)
  await change(second.license.id, { state: 'active', ...plan('1') })
  expect(await burned()).toBe(25)
  // Corrected when another licence counts: each day at its own price.
  await report(0, 11)
  await report(1, 12)
  expect(await burned()).toBe(28)
})

it('prices a day that is told late by the licence that was in force on it', async () => {
  const clock = makeManualClock(START)
  const portal = await makeTestPortal({ clock })
  const as = portal.operator
  const customer = await portal.ask({ path: '/organizations', as, body: { name: 'Late' } })
  const organizationId: string = customer.body.id
  const headers = { 'x-organization-id': organizationId }
  const license = async (price: string, validFrom: string, validTo: string) => {
    const plan = { name: 'Team', volumeBytesPerDay: GIB, creditPricePerGib: price }
    const body = { organizationId, name: price, validFrom, validTo, plan }
    return (await portal.ask({ path: '/licenses', as, body })).body
  }
  await license('2', '2026-09-25T00:00:00Z', '2026-09-27T00:00:00Z')
  const { licenseKey } = await license('1', '2026-09-27T00:00:00Z', '2028-01-01T00:00:00Z')
  const grant = { amount: '1000', source: 'test', priority: 1 }
  await portal.ask({ path: '/credits/grants', as, headers, body: grant })
  clock.advance(3 * DAY_MS)
  // The portal was away from the deployment since the first day.
  const meters = [0, 2].map((day) => ({
    ...{ hour: new Date(START + day * DAY_MS).toISOString(), events: 1, bytes: 10 * GIB },
  }))
  const about = { fingerprint: 'fingerprint-2', name: 'web', version: '1', layout: 'X8' }
  const report = { path: '/deployments/heartbeat', as: licenseKey, body: { ...about, meters } }
  const told = await portal.ask(report)
  expect(told.status).toBeLessThan(300)
  await portal.ask({ path: '/credits/grants', as, headers, body: { ...grant, amount: '1' } })
  const { body } = await portal.ask({ path: '/credits', as, headers })
  const burned = body.grants.reduce(
    (sum: number, one: { burned: string }) => sum + Number(one.burned),
    0,
  )
  expect(burned).toBe(30)
})
