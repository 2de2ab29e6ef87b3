// One ledger, whoever asks and whenever: its bookings, statements and webhooks agree.
import { expect, it, onTestFinished } from 'vitest'
import { startHookReceiver } from '../../../support/portal/hook-receiver.ts'
import { letPass, makePortalClock } from '../../../support/portal/portal-clock.ts'
import { makeTestPortal } from '../../../support/portal/portal-place.ts'
import { type ManualClock, makeManualClock } from '../../../support/run/manual-clock.ts'

const GIB = 2 ** 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-09-25T00:00:00Z')
const PASSWORD = 'a password of the customer'
const NOBODY = { as: undefined, headers: {} }
const PLAN = { name: 'Team', volumeBytesPerDay: GIB, creditPricePerGib: '1' }

/** A customer with a licence, as its operator sees it. */
async function openCustomer(clock: ManualClock) {
  const portal = await makeTestPortal({ clock, webhooks: { targets: 'any' } })
  const as = portal.operator
  const made = await portal.ask({ path: '/organizations', as, body: { name: 'Customer' } })
  const organizationId: string = made.body.id
  const headers = { 'x-organization-id': organizationId }
  const ask = async (path: string, body?: object, more: object = {}) => {
    const answer = await portal.ask({
      ...{ path, as, headers },
      ...(body === undefined ? {} : { body }),
      ...more,
    })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const addLicense = async (plan: object = PLAN) =>
    await ask('/licenses', {
      ...{ organizationId, name: 'Main', validTo: '2027-09-25T00:00:00Z', plan },
    })
  const report = (key: string, day: number, gib: number, name = 'web') =>
    ask(
      '/deployments/heartbeat',
      {
        ...{ fingerprint: `fingerprint-${name}`, name, version: '1', layout: 'V7' },
        meters: [
          {
            hour: new Date(START + day * DAY_MS).toISOString(),
            ...{ events: 1, bytes: gib * GIB },
          },
        ],
      },
      { as: key, headers: {} },
    )
  return { portal, ask, addLicense, report }
}

it('takes back a grant while time passes within the call', async () => {
  const clock = makeManualClock(START)
  const ticking: ManualClock = {
    ...clock,
    nowMs: () => {
      clock.advance(1)
      return clock.nowMs()
    },
  }
  const { ask, addLicense, report } = await openCustomer(ticking)
  const { licenseKey } = await addLicense()
  await ask('/credits/grants', { amount: '100', source: 'test' })
  await report(licenseKey, 0, 10)
  clock.advance(DAY_MS)
  const { grants } = await ask('/credits')
  const left = await ask(`/credits/grants/${grants[0].id}/void`, { reason: 'a mistake' })
  expect(left).toMatchObject({ amount: '0.00', grants: [{ burned: '10.00', voided: '90.00' }] })
})

it('books at the last booking where the clock of a process is behind', async () => {
  const clock = makeManualClock(START + DAY_MS)
  const { ask, addLicense } = await openCustomer(clock)
  await addLicense()
  const { grants } = await ask('/credits/grants', { amount: '100', source: 'test' })
  clock.advance(-HOUR_MS)
  const path = `/credits/grants/${grants[0].id}/void`
  expect(await ask(path, { reason: 'a mistake' })).toMatchObject({ amount: '0.00' })
})

it('says the same balance to a customer and to a deployment of an older licence', async () => {
  const clock = makeManualClock(START)
  const { ask, addLicense, report } = await openCustomer(clock)
  const old = await addLicense({ ...PLAN, creditPricePerGib: '3' })
  await ask('/credits/grants', { amount: '100', source: 'test' })
  const { deploymentToken } = await report(old.licenseKey, 0, 0)
  clock.advance(DAY_MS)
  await addLicense({ ...PLAN, creditPricePerGib: '1' })
  await report(deploymentToken, 1, 10)
  const own = await ask('/license/status', undefined, { as: deploymentToken, headers: {} })
  const all = await ask('/license/status')
  expect(own.creditBalance).toEqual(all.creditBalance)
  expect(await ask('/credits')).toEqual(all.creditBalance)
  expect(all.creditBalance.amount).toBe('90.00')
})

it('tells webhooks what a day burned, what stayed uncovered, and what was left after it', async () => {
  const clock = makePortalClock(START)
  const receiver = await startHookReceiver()
  onTestFinished(() => receiver.close())
  const { portal, ask, addLicense, report } = await openCustomer(clock)
  const customer = { email: 'a@customer.test', name: 'A', role: 'customer_admin' }
  await ask('/people', { ...customer, password: PASSWORD })
  const session = await ask('/session', { email: customer.email, password: PASSWORD }, NOBODY)
  const hook = { url: receiver.url, events: ['credits.burned'] }
  await ask('/webhooks', hook, { as: session.token, headers: {} })
  const { licenseKey } = await addLicense()
  await ask('/credits/grants', { amount: '300', source: 'test' })
  await letPass(portal, clock, 2 * DAY_MS)
  await report(licenseKey, 0, 51)
  await report(licenseKey, 1, 450)
  await letPass(portal, clock, HOUR_MS)
  // Later than what is told of, and no part of it.
  await ask('/credits/grants', { amount: '1000', source: 'later' })
  await letPass(portal, clock, 4 * HOUR_MS)
  const told = receiver.got.map(({ body }) => JSON.parse(body).data)
  expect(told).toMatchObject([
    { date: '2026-09-25', amount: '51.00', uncovered: '0.00', balance: '249.00' },
    { date: '2026-09-26', amount: '249.00', uncovered: '201.00', balance: '0.00' },
  ])
})

it('lists the movements and alerts that its balance comes from, at any moment', async () => {
  const clock = makeManualClock(START)
  const { ask, addLicense, report } = await openCustomer(clock)
  const { licenseKey } = await addLicense()
  await ask('/credits/grants', { amount: '100', source: 'test' })
  await report(licenseKey, 0, 318)
  expect(await ask('/credits')).toMatchObject({ amount: '0.00', uncovered: '218.00' })
  const { data: movements } = await ask('/credits/movements')
  const sums = new Map<string, number>()
  for (const { account, amount } of movements.flatMap(({ entries }: Entries) => entries))
    sums.set(account, (sums.get(account) ?? 0) + Number(amount))
  expect(Object.fromEntries(sums)).toMatchObject({ available: 0, burned: 100, uncovered: 218 })
  const codes = async (path: string, list: string) =>
    (await ask(path))[list].map(({ code }: { code: string }) => code).sort()
  const alerts = await codes('/license/alerts', 'data')
  expect(alerts).toContain('credits_exhausted')
  expect(alerts).toEqual(await codes('/license/status', 'alerts'))
  // Reading again changes nothing.
  expect((await ask('/credits/movements')).data).toEqual(movements)
})
type Entries = { readonly entries: readonly { account: string; amount: string }[] }
