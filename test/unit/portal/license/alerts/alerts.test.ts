import { describe, expect, it } from 'vitest'
import { ALERT_CODES, type Figures } from '../../../../../portal/license/alerts/conditions.ts'
import { type Alert, updateAlerts } from '../../../../../portal/license/alerts/update-alerts.ts'

const GIB = 2 ** 30
const NOW = Date.parse('2026-03-10T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

const QUIET: Figures = {
  license: { state: 'active', validToMs: NOW + 200 * DAY },
  allowedBytes: 100 * GIB,
  actualBytes: 40 * GIB,
  periodTo: '2026-03-31',
  forecast: { bytesAtPeriodEnd: 90 * GIB, exceedsPlanOn: null },
  credits: { granted: 100, amount: 80, shownAmount: '80.00', currency: 'EUR', exhaustedOn: null },
  deployments: [
    { id: 'dep_1', name: 'berlin', isRetired: false, lastHeartbeatMs: NOW, lastConflictMs: null },
  ],
}
const credits = (amount: number, exhaustedOn: string | null = null): Partial<Figures> => ({
  credits: { granted: 100, amount, shownAmount: amount.toFixed(2), currency: 'EUR', exhaustedOn },
})
const deployment = (some: Partial<Figures['deployments'][number]>): Partial<Figures> => ({
  deployments: QUIET.deployments.map((it) => ({ ...it, ...some })),
})
const forecast = (bytes: number): Partial<Figures> => ({
  forecast: { bytesAtPeriodEnd: bytes, exceedsPlanOn: '2026-03-28' },
})

const update = (some: Partial<Figures>, earlier: readonly Alert[] = [], nowMs = NOW) =>
  updateAlerts({ ...QUIET, ...some }, earlier, nowMs)
const open = (alerts: readonly Alert[]) =>
  alerts.filter((it) => it.clearedMs === null).map(({ code }) => code)

const CASES: readonly (readonly [string, Partial<Figures>, string])[] = [
  [
    'plan_near_limit',
    { actualBytes: 80 * GIB },
    '80 % of the plan is used: 80.0 GiB of the 100.0 GiB that the plan allows up to 2026-03-31.',
  ],
  [
    'plan_exceeded',
    { actualBytes: 101 * GIB },
    'The plan is exceeded: 101.0 GiB of the 100.0 GiB that the plan allows up to 2026-03-31. Nothing stops; ask for a larger plan.',
  ],
  [
    'forecast_exceeds_plan',
    forecast(120 * GIB),
    'By 2026-03-31 about 120.0 GiB are expected; the plan allows 100.0 GiB, which is used up about 2026-03-28.',
  ],
  ['credits_low', credits(19), '19.00 EUR of credits are left, 19 % of what was granted.'],
  ['credits_exhausted', credits(0), 'No credits are left; what is used from now on is invoiced.'],
  [
    'credits_forecast_exhausted',
    credits(50, '2026-03-20'),
    'The credits (50.00 EUR) will be used up about 2026-03-20.',
  ],
  [
    'license_expiring',
    { license: { state: 'expiring', validToMs: NOW + 10 * DAY } },
    'The licence expires on 2026-03-20, in 10 days.',
  ],
  [
    'license_expired',
    { license: { state: 'expired', validToMs: NOW - DAY } },
    'The licence expired on 2026-03-09. Deployments keep working; ask for a new one.',
  ],
  [
    'license_suspended',
    { license: { state: 'suspended', validToMs: NOW + DAY } },
    'The licence is suspended.',
  ],
  [
    'license_revoked',
    { license: { state: 'revoked', validToMs: NOW - DAY } },
    'The licence was revoked.',
  ],
  [
    'deployment_silent',
    deployment({ lastHeartbeatMs: NOW - 25 * HOUR }),
    'berlin has not reported since 2026-03-09 11:00 UTC, for 25 hours; its volume is not counted.',
  ],
  [
    'fingerprint_conflict',
    deployment({ lastConflictMs: NOW - DAY }),
    'berlin reports from two places with one fingerprint, last at 2026-03-09 12:00 UTC: was it copied?',
  ],
]

describe('alerts', () => {
  it('are none while all is well', () => {
    expect(update({})).toEqual({ alerts: [], raised: [], cleared: [] })
    expect(update({ forecast: null, credits: null, deployments: [] }).alerts).toEqual([])
    expect(CASES.map(([code]) => code)).toEqual([...ALERT_CODES])
  })

  it.each(CASES)('%s is raised once, says why, stays, and is cleared', (code, some, message) => {
    const first = update(some)
    expect(first.raised.map((it) => [it.code, it.message])).toEqual([[code, message]])
    const second = update(some, first.alerts, NOW + HOUR)
    expect(second.raised).toEqual([])
    expect(second.alerts[0]).toMatchObject({ sinceMs: NOW, lastHeldMs: NOW + HOUR })
    const third = update(
      deployment({ lastHeartbeatMs: NOW + 3 * DAY }),
      second.alerts,
      NOW + 3 * DAY,
    )
    expect(third.cleared).toMatchObject([{ code, sinceMs: NOW, clearedMs: NOW + 3 * DAY }])
    expect(third.alerts).toHaveLength(1)
    const again = update(some, third.alerts, NOW + 3 * DAY)
    expect(again.alerts.filter((it) => it.code === code)).toHaveLength(2)
  })

  it('do not flap near a limit', () => {
    const shares = [79, 80, 79, 76, 81, 75, 74, 79]
    let alerts: readonly Alert[] = []
    const seen = shares.map((share) => {
      alerts = update({ actualBytes: share * GIB }, alerts).alerts
      return open(alerts).length
    })
    expect(seen).toEqual([0, 1, 1, 1, 1, 1, 0, 0])
  })

  it('of a forecast stay for a day after it is better', () => {
    const raised = update(forecast(101 * GIB)).alerts
    const heard = deployment({ lastHeartbeatMs: NOW + 5 * DAY })
    expect(
      open(update({ ...heard, ...forecast(96 * GIB) }, raised, NOW + 5 * DAY).alerts),
    ).toHaveLength(1)
    const better = (hours: number) => {
      const at = NOW + hours * HOUR
      return update({ ...deployment({ lastHeartbeatMs: at }), ...forecast(94 * GIB) }, raised, at)
    }
    expect(better(23).cleared).toEqual([])
    expect(better(24).cleared).toHaveLength(1)
  })

  it('give way to the worse one at once', () => {
    const near = update({ actualBytes: 90 * GIB, ...forecast(130 * GIB) })
    expect(open(near.alerts)).toEqual(['plan_near_limit', 'forecast_exceeds_plan'])
    const over = update({ actualBytes: 101 * GIB, ...forecast(130 * GIB) }, near.alerts, NOW + HOUR)
    expect(open(over.alerts)).toEqual(['plan_exceeded'])
    const low = update(credits(10, '2026-03-12'))
    expect(open(low.alerts)).toEqual(['credits_low', 'credits_forecast_exhausted'])
    expect(open(update(credits(0), low.alerts, NOW + HOUR).alerts)).toEqual(['credits_exhausted'])
  })

  it('are of each deployment by itself; a retired one is not silent', () => {
    const silent = deployment({ lastHeartbeatMs: NOW - 2 * DAY })
    const two = [
      ...(silent.deployments ?? []),
      {
        ...QUIET.deployments[0],
        id: 'dep_2',
        name: 'x',
        isRetired: false,
        lastHeartbeatMs: NOW - 3 * DAY,
        lastConflictMs: null,
      },
    ]
    expect(update({ deployments: two }).raised.map(({ subject }) => subject)).toEqual([
      'dep_1',
      'dep_2',
    ])
    const retired = deployment({ lastHeartbeatMs: NOW - 2 * DAY, isRetired: true })
    expect(update(retired, update(silent).alerts).cleared).toHaveLength(1)
    expect(update({ deployments: [] }, update(silent).alerts).cleared).toHaveLength(1)
  })
})
