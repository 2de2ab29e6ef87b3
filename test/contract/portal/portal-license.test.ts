import { beforeAll, describe, expect, it } from 'vitest'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'

const GIB = 2 ** 30
const HOUR_MS = 3_600_000
const START = Date.parse('2026-09-25T00:00:00Z')
const clock = makeManualClock(START)

let portal: TestPortal
let organization: string
let license: { id: string; key: string }
let deployment: { id: string; token: string }

const asOperator = (organizationId = organization) => ({
  as: portal.operator,
  headers: { 'x-organization-id': organizationId },
})
const status = async (query = '', as?: string) => {
  const who = as === undefined ? asOperator() : { as }
  return await portal.ask({ path: `/license/status${query}`, ...who })
}
const bytesOfDay = (day: number) => (day % 7 < 5 ? 12 : 4) * GIB

beforeAll(async () => {
  portal = await makeTestPortal({ clock })
  const made = await portal.ask({
    path: '/organizations',
    as: portal.operator,
    body: { name: 'Customer' },
  })
  organization = made.body.id
  const licensed = await portal.ask({
    path: '/licenses',
    as: portal.operator,
    body: {
      ...{ organizationId: organization, name: 'Main', validTo: '2027-09-25T00:00:00Z' },
      plan: { name: 'Team', volumeBytesPerDay: 9 * GIB, creditPricePerGib: '0.5' },
    },
  })
  license = { id: licensed.body.license.id, key: licensed.body.licenseKey }
})

/** Sixteen hours of these days, each with its part of the bytes. */
async function report(as: string, from: number, days: number, factor = 1) {
  const meters = Array.from({ length: days * 16 }, (_, at) => ({
    hour: new Date(START + ((from + Math.floor(at / 16)) * 24 + (at % 16)) * HOUR_MS).toISOString(),
    events: 1,
    bytes: (bytesOfDay(from + Math.floor(at / 16)) / 16) * factor,
  }))
  const answer = await portal.ask({
    path: '/deployments/heartbeat',
    as,
    body: {
      ...{ fingerprint: 'fingerprint-1', name: 'web', version: '1', layout: 'V7' },
      meters,
    },
  })
  expect(answer.body.errors).toEqual([])
  return answer.body
}

describe('the status of a licence', () => {
  it('is there before anything was reported', async () => {
    const { body } = await status()
    expect(body).toMatchObject({
      plan: { name: 'Team', period: { from: '2026-09-25', to: '2026-10-24' } },
      actual: { bytes: 0, dailyAverageBytes: 0, peakDay: null },
      creditBalance: { amount: '0.00', currency: 'EUR', grants: [] },
      ...{ forecast: null, alerts: [], deployments: [] },
    })
    expect(body.forecastReason).toContain('14 days')
  })

  it('counts what was reported, and forecasts the rest of the period', async () => {
    const given = { amount: '300', source: 'offer 1' }
    const { body: balance } = await portal.ask({
      ...{ path: '/credits/grants', ...asOperator(), body: given },
    })
    expect(balance).toMatchObject({ amount: '300.00', uncovered: '0.00' })
    clock.advance(20 * 24 * HOUR_MS)
    const first = await report(license.key, 0, 20)
    deployment = { id: first.deploymentId, token: first.deploymentToken }
    const { body } = await status()
    const used = Array.from({ length: 20 }, (_, day) => bytesOfDay(day)).reduce((a, b) => a + b)
    expect(body.actual).toMatchObject({
      ...{ bytes: used, dailyAverageBytes: Math.round(used / 20) },
      peakDay: { bytes: 12 * GIB },
    })
    // 20 days with 15 of 12 GiB and 5 of 4, at half a euro.
    expect(used).toBe((15 * 12 + 5 * 4) * GIB)
    expect(body.creditBalance).toMatchObject({ amount: '200.00', uncovered: '0.00' })
    expect(body.deployments).toMatchObject([
      { id: deployment.id, state: 'registered', bytes: used },
    ])
    // The whole period: 30 days, 22 of 12 GiB and 8 of 4; the plan allows 270.
    const whole = (22 * 12 + 8 * 4) * GIB
    expect(Math.abs(body.forecast.bytesAtPeriodEnd / whole - 1)).toBeLessThan(0.05)
    expect(body.forecast.exceedsPlanOn).toMatch(/^2026-10-2\d$/)
    expect(body.alerts.map(({ code }: { code: string }) => code)).toContain('forecast_exceeds_plan')
  })

  it('of a deployment is its own, and nobody else sees it', async () => {
    const { body } = await status('', deployment.token)
    expect(body.deployments).toHaveLength(1)
    const own = await status(`?deploymentId=${deployment.id}`, deployment.token)
    expect(own.body.actual).toEqual(body.actual)
    const other = await status(`?deploymentId=dep_${'0'.repeat(26)}`, deployment.token)
    expect([other.status, other.body.code]).toEqual([404, 'not_found'])
    const stranger = await portal.ask({
      path: '/organizations',
      as: portal.operator,
      body: { name: 'Stranger' },
    })
    for (const query of ['', `?deploymentId=${deployment.id}`]) {
      const path = `/license/status${query}`
      const seen = await portal.ask({ path, ...asOperator(stranger.body.id) })
      expect([seen.status, seen.body.code]).toEqual([404, 'not_found'])
    }
    expect((await status('', license.key)).status).toBe(403)
  })
})

describe('credits', () => {
  it('follow corrected usage, and every movement adds up to the balance', async () => {
    const half = await report(deployment.token, 0, 1, 0.5)
    expect(half.deploymentToken).toBeUndefined()
    // One day of 12 GiB became 6.
    expect((await status()).body.creditBalance.amount).toBe('203.00')
    await report(deployment.token, 0, 1)
    const { body: balance } = await portal.ask({ path: '/credits', ...asOperator() })
    expect(balance.amount).toBe('200.00')
    const given = { amount: '10', source: 'goodwill', priority: 1 }
    const grants = Array.from({ length: 10 }, () =>
      portal.ask({ path: '/credits/grants', ...asOperator(), body: given }),
    )
    expect(new Set((await Promise.all(grants)).map((it) => it.status))).toEqual(new Set([201]))
    const { body } = await portal.ask({ path: '/credits', ...asOperator() })
    expect(body.amount).toBe('300.00')
    const voided = body.grants.find(({ source }: { source: string }) => source === 'goodwill')
    const taken = await portal.ask({
      ...{ path: `/credits/grants/${voided.id}/void`, ...asOperator() },
      body: { reason: 'a mistake' },
    })
    const sum = (name: string) =>
      taken.body.grants.reduce(
        (total: number, grant: Record<string, string>) => total + Number(grant[name]),
        0,
      )
    const left = Number(taken.body.amount) + Number(taken.body.upcoming)
    expect(sum('amount') - sum('burned') - sum('expired') - sum('voided')).toBeCloseTo(left, 9)
    expect(taken.body.uncovered).toBe('0.00')
    const moved = new Map<string, number>()
    let cursor: string | null = ''
    for (let page = 0; cursor !== null && page < 100; page += 1) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body: told } = await portal.ask({
        ...{ path: `/credits/movements?limit=10${query}`, ...asOperator() },
      })
      for (const { entries, explanation } of told.data) {
        expect(explanation.length).toBeGreaterThan(20)
        const total = entries.reduce(
          (all: number, it: { amount: string }) => all + Number(it.amount),
          0,
        )
        expect(total).toBeCloseTo(0, 9)
        for (const { account, amount } of entries)
          moved.set(account, (moved.get(account) ?? 0) + Number(amount))
      }
      cursor = told.nextCursor
    }
    expect(moved.get('available')).toBeCloseTo(left, 9)
  })

  it('are given by operators alone, in the currency of the organization', async () => {
    const asked = { path: '/credits/grants', body: { amount: '1', source: 'x' } }
    const { status: refused } = await portal.ask({ ...asked, as: deployment.token })
    expect(refused).toBe(403)
    const other = await portal.ask({
      ...{ ...asked, ...asOperator() },
      body: { ...asked.body, currency: 'USD' },
    })
    expect([other.status, other.body.code]).toEqual([422, 'not_bookable'])
    for (const amount of ['0', '-1', '1e3', '0.0000000000001']) {
      const answer = await portal.ask({ ...asked, ...asOperator(), body: { amount, source: 'x' } })
      expect([400, 422], amount).toContain(answer.status)
    }
  })
})

it('alerts stay in the history when they are cleared', async () => {
  const list = async () =>
    (await portal.ask({ path: '/license/alerts', ...asOperator() })).body.data
  const open = (await list()).filter(({ clearedAt }: { clearedAt: string | null }) => !clearedAt)
  expect(open.map(({ code }: { code: string }) => code)).toContain('forecast_exceeds_plan')
  // A larger plan; and the deployment is silent for days.
  await portal.ask({
    ...{ method: 'PATCH', path: `/licenses/${license.id}`, as: portal.operator },
    body: { plan: { name: 'Large', volumeBytesPerDay: 100 * GIB, creditPricePerGib: '0.5' } },
  })
  clock.advance(13 * 24 * HOUR_MS)
  await portal.ask({ path: '/credits/grants', ...asOperator(), body: { amount: '1', source: 'x' } })
  const all = await list()
  const silent = all.find(({ code }: { code: string }) => code === 'deployment_silent')
  expect(silent).toMatchObject({ clearedAt: null, deploymentId: deployment.id })
  const forecast = all.find(({ code }: { code: string }) => code === 'forecast_exceeds_plan')
  expect(forecast.clearedAt).not.toBeNull()
  expect((await status()).body.plan.period).toEqual({ from: '2026-10-25', to: '2026-11-24' })
})
