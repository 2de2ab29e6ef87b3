import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { updateAlerts } from '../../../../portal/license/alerts/update-alerts.ts'
import { parseAmount, priceOfBytes } from '../../../../portal/license/credits/amount.ts'
import { balanceAt } from '../../../../portal/license/credits/balance.ts'
import { addGrant } from '../../../../portal/license/credits/book.ts'
import { findCreditsExhausted } from '../../../../portal/license/credits/exhausted.ts'
import { openLedger } from '../../../../portal/license/credits/ledger.ts'
import { actualBytes, forecastUsage } from '../../../../portal/license/forecast/forecast-usage.ts'
import { findPlanDays } from '../../../../portal/license/forecast/plan-days.ts'
import {
  type LicenseStatus,
  licenseStatus,
  licenseStatusQuery,
} from '../../../../schemas/portal/license/status.ts'

const GIB = 2 ** 30
const NOW = '2026-03-20T08:00:00.000Z'

/** From the pure parts, as the portal does. */
function makeStatus(dayCount: number): LicenseStatus {
  const days = Array.from({ length: dayCount }, (_, day) => (day % 7 < 5 ? 12 : 4) * GIB)
  const from = new Date(Date.parse('2026-03-20') - dayCount * 86_400_000).toISOString().slice(0, 10)
  const period = { from: '2026-03-01', to: '2026-03-31' }
  const history = { from, days, todayBytes: GIB }
  const made = forecastUsage(history, period)
  const forecast = made.kind === 'none' ? undefined : made
  const { allowedBytes, ...planDays } = findPlanDays(history, period, {
    volumeBytesPerDay: 9 * GIB,
    forecast,
  })
  const granted = addGrant(
    openLedger('EUR'),
    {
      id: 'g1',
      amount: '30',
      currency: 'EUR',
      priority: 1,
      effectiveAt: NOW,
      expiresAt: null,
      source: 'offer 7',
    },
    NOW,
  )
  if (granted.kind === 'refused') throw new Error(granted.reason)
  const price = parseAmount('0.5') ?? 0n
  const burns = (forecast?.days ?? []).map(({ date, bytes }) => ({
    date,
    amount: priceOfBytes(bytes, price),
  }))
  const creditsExhaustedOn = findCreditsExhausted(granted.ledger, burns)
  const balance = balanceAt(granted.ledger, NOW)
  const actual = actualBytes(history, period) + GIB
  const { raised } = updateAlerts(
    {
      license: { state: 'active', validToMs: Date.parse('2027-01-01') },
      allowedBytes,
      actualBytes: actual,
      periodTo: period.to,
      forecast: forecast ? { ...planDays, bytesAtPeriodEnd: forecast.bytesAtPeriodEnd } : null,
      credits: {
        granted: 30,
        amount: Number(balance.amount),
        shownAmount: balance.amount,
        currency: 'EUR',
        exhaustedOn: creditsExhaustedOn,
      },
      deployments: [],
    },
    [],
    Date.parse(NOW),
  )
  return {
    plan: { name: 'Team', volumeBytesPerDay: 9 * GIB, allowedBytes, period },
    actual: {
      bytes: actual,
      dailyAverageBytes: Math.round(actual / 19),
      peakDay: { date: from, bytes: 12 * GIB },
    },
    creditBalance: {
      amount: balance.amount,
      currency: 'EUR',
      upcoming: balance.upcoming,
      uncovered: balance.uncovered,
      grants: balance.grants.map(({ grant: { currency: _, ...grant }, ...figures }) => ({
        ...grant,
        ...figures,
      })),
    },
    forecast: forecast
      ? {
          bytesAtPeriodEnd: forecast.bytesAtPeriodEnd,
          ...planDays,
          creditsExhaustedOn,
          confidence: forecast.confidence,
          method: forecast.method,
        }
      : null,
    forecastReason: made.kind === 'none' ? made.reason : null,
    alerts: raised.map(({ code, severity, message, sinceMs, subject }) => ({
      code,
      severity,
      message,
      since: new Date(sinceMs).toISOString(),
      deploymentId: subject,
    })),
    deployments: [],
  }
}

describe('the answer of the licence status', () => {
  it('is made of the pure parts', () => {
    const status = licenseStatus.parse(makeStatus(60))
    // 188 GiB up to the 19th; 276 of 279 up to the 29th.
    expect(status.forecast).toMatchObject({
      exceedsPlanOn: '2026-03-30',
      confidence: { share: 0.8 },
    })
    expect(status.forecast?.creditsExhaustedOn).toMatch(/^2026-03-2\d$/)
    expect(status.alerts.map(({ code }) => code)).toEqual([
      'forecast_exceeds_plan',
      'credits_forecast_exhausted',
    ])
  })

  it('says why there is no forecast', () => {
    const status = licenseStatus.parse(makeStatus(9))
    expect(status.forecast).toBeNull()
    expect(status.forecastReason).toBe('a forecast needs 14 days of data; there are 9')
  })

  it('is asked for with a deployment, and nothing else', () => {
    expect(licenseStatusQuery.safeParse({ deploymentId: 'dep_1' }).success).toBe(true)
    expect(licenseStatusQuery.safeParse({ deployment: 'dep_1' }).success).toBe(false)
  })

  it('can be printed as a JSON schema', () => {
    expect(JSON.stringify(z.toJSONSchema(licenseStatus))).toContain('bytesAtPeriodEnd')
  })
})
