// The ledger while deployments report, correct themselves and repeat at one moment, over two
// portals, and operators give and take credits (decision 9.7).
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../../support/portal/portal-place.ts'
import { testClock } from '../../../support/run/test-clock.ts'

const DAY_MS = 86_400_000
const GIB = 2 ** 30
const DAYS = 12
const DEPLOYMENTS = 4
const ROUNDS = 5
/** Of a GiB: half a unit, so that every amount here is exact. */
const PRICE = '0.5'
const FAR = '2045-01-01T00:00:00Z'
/** Of today: days before it are over. */
const today = Math.floor(testClock.nowMs() / DAY_MS)
let portals: TestPortal[]
let organizationId = ''
const validFrom = new Date((today - DAYS - 5) * DAY_MS).toISOString()
const tokens: string[] = []

beforeAll(async () => {
  const portal = await makeTestPortal()
  portals = [portal, await portal.another()]
  organizationId = (await must('/organizations', { name: 'Customer' })).id
  const plan = { name: 'Team', volumeBytesPerDay: 9 * GIB, creditPricePerGib: PRICE }
  const license = { organizationId, name: 'L', plan, validFrom, validTo: FAR }
  const { licenseKey } = await must('/licenses', license)
  for (let at = 0; at < DEPLOYMENTS; at += 1) {
    const first = await must('/deployments/heartbeat', report(at, []), licenseKey)
    tokens.push(first.deploymentToken)
  }
})

const of = (): Record<string, string> =>
  organizationId === '' ? {} : { 'x-organization-id': organizationId }
async function must(path: string, body?: unknown, as?: string, at = 0) {
  const portal = portals[at % portals.length] ?? portals[0]
  const who = as === undefined ? { as: portal?.operator, headers: of() } : { as }
  const answer = await portal?.ask({ path, ...(body === undefined ? {} : { body }), ...who })
  expect(answer?.status, answer?.text).toBeLessThan(300)
  return answer?.body
}
const report = (at: number, meters: readonly object[]) => ({
  ...{ fingerprint: `credits-${at}-00`, name: 'c', version: '1', layout: 'X8', meters },
})
const millionths = (text: string): bigint => {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(whole + part.padEnd(12, '0'))
  return sign === '-' ? -value : value
}
const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n)

/** What holds at every moment. */
async function expectBalanced(at: number): Promise<void> {
  const { amount, upcoming, uncovered, grants } = await must('/credits', undefined, undefined, at)
  const total = (name: string) =>
    sum(grants.map((grant: Record<string, string>) => millionths(grant[name] ?? '')))
  const left = total('amount') - total('burned') - total('expired') - total('voided')
  expect(left).toBe(millionths(amount) + millionths(upcoming))
  for (const grant of grants)
    for (const name of ['amount', 'burned', 'expired', 'voided'])
      expect(millionths(grant[name]) >= 0n, name).toBe(true)
  expect(millionths(amount) >= 0n && millionths(uncovered) >= 0n).toBe(true)
}

it('has grants less burn as its balance at every moment, under parallel reports', async () => {
  const bytes = fc.integer({ min: 0, max: 40 }).map((eighths) => (eighths * GIB) / 8)
  const days = fc.array(fc.tuple(fc.nat(DAYS - 1), bytes), { minLength: 1, maxLength: 8 })
  const rounds = fc.array(fc.array(days, { minLength: DEPLOYMENTS, maxLength: DEPLOYMENTS }), {
    ...{ minLength: ROUNDS, maxLength: ROUNDS },
  })
  const [sent = []] = fc.sample(rounds, 1)
  const last = new Map<string, number>()
  let granted = 0n
  for (const [round, reports] of sent.entries()) {
    const calls: Promise<unknown>[] = []
    for (const [at, meters] of reports.entries()) {
      const told = meters.map(([day, size]) => {
        const hour = new Date((today - 1 - day) * DAY_MS).toISOString()
        return { hour, events: 1, bytes: size }
      })
      for (const [day, size] of meters) last.set(`${at} ${day}`, size)
      // Twice, to both: what is repeated changes nothing.
      for (const to of [0, 1])
        calls.push(must('/deployments/heartbeat', report(at, told), tokens[at], to))
    }
    for (const to of [0, 1]) {
      const grant = {
        amount: '7.25',
        source: `${round} ${to}`,
        priority: to,
        effectiveAt: validFrom,
      }
      calls.push(must('/credits/grants', grant, undefined, to))
      granted += millionths('7.25')
    }
    for (let look = 0; look < 6; look += 1) calls.push(expectBalanced(look))
    await Promise.all(calls)
  }
  await expectBalanced(0)
  await expectBalanced(1)
  // A grant keeps what was booked.
  await must('/credits/grants', { amount: '1', source: 'last', effectiveAt: validFrom })
  granted += millionths('1')
  const { amount, uncovered } = await must('/credits')
  const used = sum(
    [...last.values()].map((size) => (BigInt(size) * millionths(PRICE)) / BigInt(GIB)),
  )
  // What the grants do not pay is told as uncovered; both follow from what was used.
  const paid = granted - millionths(amount)
  expect(paid + millionths(uncovered)).toBe(used)
  expect(millionths(uncovered) === 0n || millionths(amount) === 0n).toBe(true)
  let available = 0n
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 100; page += 1) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const told = await must(`/credits/movements?limit=200${query}`)
    for (const { entries } of told.data) {
      expect(sum(entries.map((it: { amount: string }) => millionths(it.amount)))).toBe(0n)
      for (const entry of entries)
        if (entry.account === 'available') available += millionths(entry.amount)
    }
    cursor = told.nextCursor
  }
  expect(available).toBe(millionths(amount))
})

it('are granted and voided while usage is booked and the clock advances', async () => {
  let passedMs = 0
  // Each look is a millisecond later.
  const clock = { ...testClock, nowMs: () => testClock.nowMs() + ++passedMs }
  const portal = await makeTestPortal({ clock })
  const ask = async (path: string, body: object, headers = {}) => {
    const answer = await portal.ask({ path, as: portal.operator, body, headers })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const { id } = await ask('/organizations', { name: 'Customer' })
  const plan = { name: 'Team', volumeBytesPerDay: GIB, creditPricePerGib: PRICE }
  await ask('/licenses', { organizationId: id, name: 'L', plan, validFrom, validTo: FAR })
  const acting = { 'x-organization-id': id }
  const { grants } = await ask('/credits/grants', { amount: '10', source: 'goodwill' }, acting)
  const path = `/credits/grants/${grants[0].id}/void`
  expect((await ask(path, { reason: 'a mistake' }, acting)).amount).toBe('0.00')
})
