// alerts: lists alerts, acknowledges and mutes one.

import { mayDo } from '../../../../infra/access/may-do.ts'
import type { SignedIn } from '../../../../infra/access/signed-in.ts'
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import type { AlertRow } from '../../../../infra/database/rows/monitor-tables.ts'
import { insertAudit } from '../../../../infra/metastore/audit/audit-writer.ts'
import {
  changeAlert,
  listAlerts,
  requireAlert,
} from '../../../../infra/metastore/monitors/alerts.ts'
import { listMonitors } from '../../../../infra/metastore/monitors/monitors.ts'
import { maySee, type Sight } from '../../../../infra/metastore/rights/may-see.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { type AlertSample, alertSample } from '../../../../schemas/monitors/notice.ts'
import { readSeen } from '../../../../schemas/monitors/seen.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { alerts as published } from '../../../../schemas/sdk/monitors/alerts.ts'
import { alertEntry } from '../../../monitors/tell/alert-entry.ts'
import { alertWindow } from '../../../monitors/tell/alert-window.ts'
import { mayKnowMonitor, monitorViewer } from '../../monitors/monitor-owner.ts'
import { printMoment, readUntil } from '../../monitors/print-moment.ts'
import { serveCommand } from '../../server/serve-command.ts'

const USUAL_LIMIT = 100
/** Looked through for those that the caller may know of. */
const MAX_LISTED = 10_000
const NO_SAMPLE: AlertSample = { columns: [], rows: [] }
const OPEN = { open: true, closed: false, all: undefined } as const

export const alerts = serveCommand(published, async (input, { clock, caller, objects }) => {
  const { id, state = 'open', limit = USUAL_LIMIT } = input
  if (id === undefined && (input.acknowledge !== undefined || input.muteUntil !== undefined))
    throw new Failure('sdk.argument', { argument: 'id', reason: 'is missing: which alert' })
  const sight = { visible: (await objects.viewer()).logs, masks: caller.user.masks }
  return async (transaction) => {
    const nowMs = clock.nowMs()
    const mayKnow = await makeMayKnow(transaction, caller)
    if (id === undefined) {
      const isOpen = OPEN[state]
      const listed = await listAlerts(transaction, { isOpen, limit: MAX_LISTED })
      const known = listed.filter(mayKnow).slice(0, limit)
      return {
        alerts: known.map((one) => describe(one, sight, nowMs)),
        ...{ columns: [], rows: [], times: [] },
        messages: [],
      }
    }
    const before = await requireAlert(transaction, id)
    if (!mayKnow(before)) throw new Failure('object.not_found', { kind: 'alert', name: String(id) })
    await change(transaction, before, input, { caller, nowMs })
    const alert = await requireAlert(transaction, id)
    const {
      columns,
      rows,
      times = [],
    } = maySee(readSeen(alert.seen), sight)
      ? alertSample.parse(JSON.parse(alert.sample))
      : NO_SAMPLE
    return {
      alerts: [describe(alert, sight, nowMs)],
      ...{ columns: [...columns], rows: rows.map((row) => [...row]), times: [...times] },
      messages: await readMessages(transaction, id),
    }
  }
})

/** Of whose rows is decided alert by alert (`describe`). */
async function makeMayKnow(transaction: DatabaseTransaction, { user }: SignedIn) {
  const viewer = monitorViewer(user)
  // Those of monitors that are gone, too.
  if (viewer.readsAllAlerts) return () => true
  const monitors = await listMonitors(transaction)
  const known = new Set(monitors.filter((it) => mayKnowMonitor(it, viewer)).map((it) => it.id))
  return (alert: AlertRow) => known.has(alert.monitor_id)
}

async function change(
  transaction: DatabaseTransaction,
  alert: AlertRow,
  { acknowledge, muteUntil }: SdkInput<'alerts'>,
  { caller, nowMs }: { readonly caller: SignedIn; readonly nowMs: number },
): Promise<void> {
  const { user, address } = caller
  const by = { userId: user.id, userName: user.name, address }
  const told = { count: alert.count, heldBack: '', by }
  if (acknowledge !== undefined || muteUntil !== undefined) {
    if (alert.closed_ms !== null)
      throw new Failure('sdk.argument', { argument: 'id', reason: 'this alert is closed' })
    if (!mayDo(user, 'data.monitors')) throw new Failure('rights.missing')
  }
  if (acknowledge !== undefined)
    await changeAlert(transaction, alert.id, {
      acknowledged_by: acknowledge ? user.name : null,
      acknowledged_ms: acknowledge ? nowMs : null,
    })
  if (acknowledge === true)
    await insertAudit(transaction, [
      { entry: alertEntry(alert, 'acknowledged', told), atMs: nowMs },
    ])
  if (muteUntil === undefined) return
  const untilMs = readUntil(muteUntil, nowMs)
  await changeAlert(transaction, alert.id, { muted_until_ms: untilMs })
  if (untilMs > nowMs)
    await insertAudit(transaction, [
      { entry: alertEntry(alert, 'muted', { ...told, untilMs }), atMs: nowMs },
    ])
}

/** Rights and masks are those of now: whoever has lost a log sees that there was an alert. */
function describe(alert: AlertRow, sight: Sight, nowMs: number) {
  const isHidden = !maySee(readSeen(alert.seen), sight)
  return {
    ...{ id: alert.id, monitor: alert.monitor_name, group: isHidden ? '' : alert.group_key },
    ...{ severity: alert.severity, state: alert.closed_ms === null ? 'open' : 'closed' },
    ...{ opened: printMoment(alert.opened_ms), lastFailed: printMoment(alert.last_ms) },
    closed: alert.closed_ms === null ? null : printMoment(alert.closed_ms),
    ...{ count: isHidden ? null : alert.count, isHidden, query: alert.query, rule: alert.rule },
    acknowledgedBy: alert.acknowledged_by,
    mutedUntil: alert.muted_until_ms > nowMs ? printMoment(alert.muted_until_ms) : null,
    window: alertWindow(alert),
  }
}

async function readMessages(transaction: DatabaseTransaction, alertId: number) {
  const messages = await transaction
    .selectFrom('alert_messages')
    .select(['id', 'event', 'target_name', 'state', 'digest_id'])
    .where('alert_id', '=', alertId)
    .orderBy('id')
    .limit(USUAL_LIMIT)
    .execute()
  const read = []
  for (const { id, event, target_name: target, state: own, digest_id } of messages) {
    const state = digest_id === null ? own : await readState(transaction, digest_id)
    const attempts = await transaction
      .selectFrom('alert_attempts')
      .selectAll()
      .where('message_id', '=', digest_id ?? id)
      .orderBy('number')
      .execute()
    read.push({
      ...{ event, target, state },
      attempts: attempts.map((one) => ({
        at: printMoment(Number(one.at_ms)),
        result: one.ended_ms === null ? 'unknown' : (one.failure ?? 'taken'),
        status: one.status === null ? null : Number(one.status),
      })),
    })
  }
  return read
}

/** Of the message in which it was told together with others. */
async function readState(transaction: DatabaseTransaction, id: number): Promise<string> {
  const row = await transaction
    .selectFrom('alert_messages')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.state ?? 'delivered'
}
