// What is kept of an alert's change: an entry of the audit log, which becomes an event of
// System->alerts. Its details are the columns there.

import type { AlertRow } from '../../../infra/database/rows/monitor-tables.ts'
import type { AuditEntry } from '../../../infra/metastore/audit/port.ts'
import { type AlertEvent, alertAction } from '../../../schemas/monitors/alert-entry.ts'

/** Who acts where no person does. */
const PRODUCT = { userId: null, userName: 'monitor', address: '' }
const MAX_GROUP_CHARACTERS = 200

export function alertEntry(
  alert: AlertRow,
  event: AlertEvent,
  {
    count,
    heldBack,
    by = PRODUCT,
    untilMs,
  }: {
    readonly count: number
    /** Why nobody was told; '' where they were. */
    readonly heldBack: string
    readonly by?: Pick<AuditEntry, 'userId' | 'userName' | 'address'>
    readonly untilMs?: number
  },
): AuditEntry {
  const group = alert.group_key.slice(0, MAX_GROUP_CHARACTERS)
  const of = group === '' ? alert.monitor_name : `${alert.monitor_name} (${group})`
  return {
    ...by,
    action: alertAction(event),
    target: `${alert.severity} alert ${event}: ${of}`,
    result: 'done',
    details: {
      ...{ alert: alert.id, monitor: alert.monitor_name, severity: alert.severity },
      ...(group === '' ? {} : { group }),
      count,
      opened: new Date(alert.opened_ms).toISOString(),
      ...(heldBack === '' ? {} : { heldBack }),
      ...(untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() }),
    },
  }
}
