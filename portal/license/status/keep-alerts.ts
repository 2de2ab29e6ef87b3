// The alerts of an organization with their history, and what the status books: kept now and then by
// every process of the portal, and always right in an answer, which looks by itself.
import type { PortalReader, PortalTransaction } from '../../database/open.ts'
import type { LicenseAlertRow } from '../../database/tables.ts'
import { ALERT_CODES } from '../alerts/conditions.ts'
import type { Alert } from '../alerts/update-alerts.ts'

const SEVERITIES = ['info', 'warning', 'critical'] as const

/** Those that hold, oldest first. */
export async function readAlerts(db: PortalReader, organizationId: string): Promise<Alert[]> {
  const rows = await db
    .selectFrom('license_alerts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('cleared_ms', 'is', null)
    .orderBy('since_ms')
    .orderBy('code')
    .orderBy('subject')
    .execute()
  return rows.flatMap(toAlert)
}

/** `alerts`: those that were read, as they are now, and new ones. */
export async function keepAlerts(
  transaction: PortalTransaction,
  organizationId: string,
  alerts: readonly Alert[],
): Promise<void> {
  for (const alert of alerts) {
    const row: LicenseAlertRow = {
      ...{ organization_id: organizationId, since_ms: alert.sinceMs, code: alert.code },
      ...{ subject: alert.subject ?? '', severity: alert.severity, message: alert.message },
      ...{ last_held_ms: alert.lastHeldMs, cleared_ms: alert.clearedMs },
    }
    await transaction
      .insertInto('license_alerts')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'since_ms', 'code', 'subject']).doUpdateSet(row),
      )
      .execute()
  }
}

/** A code of another version is left out. */
export function toAlert(row: LicenseAlertRow): Alert[] {
  const code = ALERT_CODES.find((one) => one === row.code)
  const severity = SEVERITIES.find((one) => one === row.severity)
  if (code === undefined || severity === undefined) return []
  return [
    {
      ...{ code, severity, subject: row.subject === '' ? null : row.subject },
      ...{ message: row.message, sinceMs: row.since_ms },
      ...{ lastHeldMs: row.last_held_ms, clearedMs: row.cleared_ms },
    },
  ]
}
