// The status of a licence: what was used, what is left, what will be, and what to watch
// (decision 9.7). Made anew for each answer from the sums of days; what it books is only kept by
// keep-status.ts.
import { plan as planSchema } from '../../../schemas/portal/accounts.ts'
import type { LicenseStatus } from '../../../schemas/portal/license/status.ts'
import { stateOfLicense } from '../../accounts/license-routes.ts'
import type { PortalReader } from '../../database/open.ts'
import type { DeploymentRow, LicenseRow } from '../../database/tables.ts'
import { stateOfDeployment } from '../../deployments/deployment-routes.ts'
import type { Figures } from '../alerts/conditions.ts'
import { type Alert, updateAlerts } from '../alerts/update-alerts.ts'
import { parseAmount, priceOfBytes } from '../credits/amount.ts'
import { balanceAt } from '../credits/balance.ts'
import { findCreditsExhausted } from '../credits/exhausted.ts'
import type { Ledger } from '../credits/ledger.ts'
import { addDays, daysBetween } from '../forecast/calendar.ts'
import {
  actualBytes,
  forecastUsage,
  type Period,
  type UsageHistory,
} from '../forecast/forecast-usage.ts'
import { findPlanDays } from '../forecast/plan-days.ts'
import { readLedger } from '../keep-credits.ts'
import { bookUsage, type EarlierPrice } from './book-usage.ts'
import { findLicenseInForce } from './find-license.ts'
import { readAlerts } from './keep-alerts.ts'
import { periodAt } from './period.ts'
import { readUsageDays } from './read-usage-days.ts'

/** Of an answer; the others are in the list of deployments. */
const MAX_DEPLOYMENTS = 100
const HOUR_MS = 3_600_000

export type ReadStatus = {
  readonly status: LicenseStatus
  /** As it is kept, and with what is to be booked now. */
  readonly kept: Ledger
  readonly booked: Ledger
  readonly alerts: readonly Alert[]
  /** Of them those that are new, and those that just ended. */
  readonly raised: readonly Alert[]
  readonly cleared: readonly Alert[]
}

/** `deployment`: only its usage, in actual, forecast and deployments. */
export async function readStatus(
  db: PortalReader,
  license: LicenseRow,
  deployment: DeploymentRow | undefined,
  nowMs: number,
): Promise<ReadStatus> {
  const organizationId = license.organization_id
  const at = new Date(nowMs).toISOString()
  const plan = planSchema.parse(JSON.parse(license.plan))
  const period = periodAt({ fromMs: license.from_ms, toMs: license.to_ms }, nowMs)
  const all = await readUsageDays(db, { organizationId }, nowMs)
  const history =
    deployment === undefined
      ? all
      : await readUsageDays(db, { organizationId, deployment: deployment.number }, nowMs)

  const organizations = db.selectFrom('organizations').select('currency')
  const row = await organizations.where('id', '=', organizationId).executeTakeFirst()
  const kept = await readLedger(db, organizationId, row?.currency ?? 'EUR')
  // Usage of any deployment takes credits by the licence in force, whichever licence was asked for.
  const counts = (await findLicenseInForce(db, organizationId, nowMs)) ?? license
  const pricePerGib = planSchema.parse(JSON.parse(counts.plan)).creditPricePerGib
  const earlier = await readEarlierPrices(db, counts)
  const priced = { pricePerGib, from: dayOf(counts.from_ms), earlier }
  const booked = bookUsage(kept, all, priced, at)
  const { creditBalance, granted } = tellBalance(booked, at)

  const made = forecastUsage(history, period)
  const forecast = made.kind === 'none' ? undefined : made
  const { allowedBytes, ...planDays } = findPlanDays(history, period, {
    volumeBytesPerDay: plan.volumeBytesPerDay,
    forecast,
  })
  const price = parseAmount(pricePerGib ?? '') ?? 0n
  const burns = (forecast?.days ?? []).map(({ date, bytes }) => ({
    date,
    amount: priceOfBytes(bytes, price),
  }))
  const hasCredits = booked.grants.length > 0
  const creditsExhaustedOn = hasCredits ? findCreditsExhausted(booked, burns) : null
  const deployments = await readDeployments(db, organizationId, deployment)
  const actual = tellActual(history, period, nowMs)
  const figures: Figures = {
    license: { state: stateOfLicense(license, nowMs), validToMs: license.to_ms },
    ...{ allowedBytes, actualBytes: actual.bytes, periodTo: period.to },
    forecast: forecast ? { ...planDays, bytesAtPeriodEnd: forecast.bytesAtPeriodEnd } : null,
    credits: hasCredits
      ? {
          granted,
          amount: Number(creditBalance.amount),
          shownAmount: creditBalance.amount,
          currency: creditBalance.currency,
          exhaustedOn: creditsExhaustedOn,
        }
      : null,
    deployments: await tellFigures(db, organizationId, deployments),
  }
  const { alerts, raised, cleared } = updateAlerts(
    figures,
    await readAlerts(db, organizationId),
    nowMs,
  )
  const bytes = await readDeploymentBytes(db, deployments, period)
  const status: LicenseStatus = {
    plan: { name: plan.name, volumeBytesPerDay: plan.volumeBytesPerDay, allowedBytes, period },
    ...{ actual, creditBalance },
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
    alerts: alerts
      .filter(({ clearedMs }) => clearedMs === null)
      .map(tellAlert)
      .reverse(),
    deployments: deployments.map((one) => ({
      ...{ id: one.id, name: one.label ?? one.reported_name, version: one.version },
      state: stateOfDeployment(one, nowMs),
      lastHeartbeatAt: new Date(one.last_seen_ms).toISOString(),
      bytes: bytes.get(one.number) ?? 0,
    })),
  }
  return { status, kept, booked, alerts, raised, cleared }
}

async function readEarlierPrices(
  db: PortalReader,
  { organization_id, from_ms }: LicenseRow,
): Promise<readonly EarlierPrice[]> {
  const rows = await db
    .selectFrom('licenses')
    .select(['plan', 'from_ms', 'to_ms'])
    .where('organization_id', '=', organization_id)
    .where('from_ms', '<', from_ms)
    .where('state', '!=', 'revoked')
    .orderBy('from_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    pricePerGib: planSchema.parse(JSON.parse(row.plan)).creditPricePerGib,
    from: dayOf(row.from_ms),
    to: dayOf(row.to_ms),
  }))
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function tellAlert({ code, severity, message, sinceMs, subject }: Alert) {
  const since = new Date(sinceMs).toISOString()
  return { code, severity, message, since, deploymentId: subject }
}

/** `granted`: what grants in force came to. */
export function tellBalance(ledger: Ledger, at: string) {
  const { amount, upcoming, uncovered, grants } = balanceAt(ledger, at)
  const inForce = grants.filter(({ state }) => state === 'active' || state === 'used')
  const granted = inForce.reduce((sum, { grant }) => sum + Number(grant.amount), 0)
  const told = grants.map(({ grant: { currency: _, ...grant }, ...figures }) => ({
    ...grant,
    ...figures,
  }))
  const { currency } = ledger
  return { creditBalance: { amount, currency, upcoming, uncovered, grants: told }, granted }
}

function tellActual(history: UsageHistory, period: Period, nowMs: number): LicenseStatus['actual'] {
  const { from, days, todayBytes = 0 } = history
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const isRunning = today >= period.from && today <= period.to
  const over = actualBytes(history, period)
  const wholeDays = daysBetween(period.from, today <= period.to ? today : addDays(period.to, 1))
  const known = [...days, todayBytes].flatMap((bytes, at) => {
    const date = addDays(from, at)
    return bytes === null || bytes === 0 || date < period.from || date > period.to
      ? []
      : [{ date, bytes }]
  })
  const peak = known.reduce<(typeof known)[number] | undefined>(
    (best, one) => (best === undefined || one.bytes > best.bytes ? one : best),
    undefined,
  )
  return {
    bytes: over + (isRunning ? todayBytes : 0),
    dailyAverageBytes: wholeDays > 0 ? Math.round(over / wholeDays) : 0,
    peakDay: peak ?? null,
  }
}

async function readDeployments(
  db: PortalReader,
  organizationId: string,
  one: DeploymentRow | undefined,
): Promise<DeploymentRow[]> {
  if (one !== undefined) return [one]
  return await db
    .selectFrom('deployments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('last_seen_ms', 'desc')
    .orderBy('number', 'desc')
    .limit(MAX_DEPLOYMENTS)
    .execute()
}

async function tellFigures(
  db: PortalReader,
  organizationId: string,
  deployments: readonly DeploymentRow[],
): Promise<Figures['deployments']> {
  const conflicts = await db
    .selectFrom('deployment_alerts')
    .select(['deployment_id', 'last_ms'])
    .where('organization_id', '=', organizationId)
    .where('code', '=', 'fingerprint_conflict')
    .execute()
  const lastMs = new Map(conflicts.map((row) => [row.deployment_id, row.last_ms]))
  return deployments.map(({ id, label, reported_name, retired_ms, last_seen_ms }) => ({
    ...{ id, name: label ?? reported_name, isRetired: retired_ms !== null },
    ...{ lastHeartbeatMs: last_seen_ms, lastConflictMs: lastMs.get(id) ?? null },
  }))
}

async function readDeploymentBytes(
  db: PortalReader,
  deployments: readonly DeploymentRow[],
  { from, to }: Period,
): Promise<Map<number, number>> {
  if (deployments.length === 0) return new Map()
  const rows = await db
    .selectFrom('usage_hours')
    .select((eb) => ['deployment', eb.fn.sum<number | string>('bytes').as('bytes')])
    .where(
      'deployment',
      'in',
      deployments.map(({ number }) => number),
    )
    .where('hour', '>=', Date.parse(from) / HOUR_MS)
    .where('hour', '<', Date.parse(addDays(to, 1)) / HOUR_MS)
    .groupBy('deployment')
    .execute()
  return new Map(rows.map(({ deployment, bytes }) => [Number(deployment), Number(bytes)]))
}
