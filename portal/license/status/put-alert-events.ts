// What webhooks are told of a licence: each alert when it is raised, and what each day took of the
// credits.
import type { Clock } from '../../../infra/clock.ts'
import type { WebhookEventKind } from '../../../schemas/portal/webhook-events.ts'
import type { PortalTransaction } from '../../database/open.ts'
import type { LicenseRow } from '../../database/tables.ts'
import { putEvent, tellOnce } from '../../webhooks/put-event.ts'
import type { AlertCode } from '../alerts/conditions.ts'
import type { Alert } from '../alerts/update-alerts.ts'
import { dayFigures } from '../credits/balance.ts'
import type { Ledger } from '../credits/ledger.ts'
import { addDays } from '../forecast/calendar.ts'
import { tellAlert } from './read-status.ts'

const KIND_OF = {
  plan_near_limit: 'license.threshold',
  plan_exceeded: 'license.threshold',
  forecast_exceeds_plan: 'license.forecast',
  credits_low: 'credits.low',
  credits_exhausted: 'credits.exhausted',
  credits_forecast_exhausted: 'license.forecast',
  license_expiring: 'license.expiring',
  license_expired: 'license.expired',
  license_suspended: 'license.suspended',
  license_revoked: 'license.revoked',
  deployment_silent: 'deployment.silent',
  fingerprint_conflict: 'deployment.conflict',
} as const satisfies Readonly<Record<AlertCode, WebhookEventKind>>

const HOUR_MS = 3_600_000
/** The last reports of a day come after its end. */
const DAY_SETTLES_MS = 3 * HOUR_MS
/** For which days are made up for, when no process ran. */
const DAYS = 7

export async function putAlertEvents(
  transaction: PortalTransaction,
  license: LicenseRow,
  raised: readonly Alert[],
  clock: Clock,
): Promise<void> {
  const of = { organizationId: license.organization_id, licenseId: license.id }
  for (const alert of raised)
    await putEvent(
      transaction,
      { kind: KIND_OF[alert.code], data: { ...of, ...tellAlert(alert) } },
      clock,
    )
}

/** Once for each day. */
export async function putBurnedEvents(
  transaction: PortalTransaction,
  organizationId: string,
  ledger: Ledger,
  clock: Clock,
): Promise<void> {
  const nowMs = clock.nowMs()
  const today = new Date(nowMs - DAY_SETTLES_MS).toISOString().slice(0, 10)
  const first = addDays(today, -DAYS)
  const days = ledger.usage.filter(({ key }) => first <= key && key < today)
  for (const usage of days) {
    const date = usage.key
    if (!/[1-9]/.test(usage.amount)) continue
    if (!(await tellOnce(transaction, `credits.burned ${organizationId} ${date}`, nowMs))) continue
    const { burned: amount, uncovered, balance } = dayFigures(ledger, usage)
    const { currency } = ledger
    const data = { organizationId, date, amount, uncovered, currency, balance }
    await putEvent(transaction, { kind: 'credits.burned', data }, clock)
  }
}
