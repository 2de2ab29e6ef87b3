// What holds back that somebody is told of an alert.
import { foldName } from '../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { AlertRow } from '../../../infra/database/rows/monitor-tables.ts'
import { listMaintenanceWindows } from '../../../infra/metastore/monitors/maintenance-windows.ts'
import type { Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import { isInWindow } from '../../../schemas/monitors/maintenance.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import type { HeldBack } from '../evaluate/step-alerts.ts'

/** Of all alerts of a monitor. */
export async function findHolding(
  transaction: DatabaseTransaction,
  { name, mutedUntilMs }: Monitor,
  { nowMs, systemZone }: { readonly nowMs: number; readonly systemZone: string },
): Promise<HeldBack> {
  if (mutedUntilMs > nowMs) return 'muted'
  const windows = await listMaintenanceWindows(transaction)
  const isHeld = windows.some(
    ({ isEnabled, settings }) =>
      isEnabled &&
      (settings.monitors.length === 0 ||
        settings.monitors.some((it) => foldName(it) === foldName(name))) &&
      isInWindow(settings, nowMs, timeZone(settings.timeZone || systemZone)),
  )
  return isHeld ? 'maintenance' : ''
}

/** Of one alert; undefined: it is not open yet. */
export function heldBackBy(alert: AlertRow | undefined, nowMs: number): HeldBack {
  if (alert === undefined) return ''
  if (alert.muted_until_ms > nowMs) return 'muted'
  return alert.acknowledged_ms === null ? '' : 'acknowledged'
}
