// The job that tells further people of alerts that nobody has seen to (docs/decisions/0121). A step
// is taken in one transaction with its entry and its messages: once, whoever takes it.
import { requireFence } from '../../../infra/database/lease.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { AlertRow } from '../../../infra/database/rows/monitor-tables.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import {
  changeAlert,
  listUnseenAlerts,
  requireAlert,
} from '../../../infra/metastore/monitors/alerts.ts'
import { listMonitors, type Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import type { Job, JobContext } from '../../../infra/scheduler/job.ts'
import { alertSample } from '../../../schemas/monitors/notice.ts'
import { groupStates } from '../evaluate/step-alerts.ts'
import { addMessagesTo } from './add-messages-to.ts'
import { alertEntry } from './alert-entry.ts'
import { alertWindow } from './alert-window.ts'
import { findHolding, heldBackBy } from './holding.ts'
import { makeNotice } from './make-notice.ts'

type Deps = { readonly publicUrl: string }

const EVERY_MS = 10_000
const LIMIT_MS = 120_000

export function makeEscalation(deps: Deps): Job {
  return {
    name: 'alert-escalation',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: async (context) => {
      const { database, clock, signal } = context
      const monitors = new Map((await listMonitors(database.read)).map((it) => [it.id, it]))
      for (const alert of await listUnseenAlerts(database.read)) {
        if (signal.aborted) return
        const monitor = monitors.get(alert.monitor_id)
        if (monitor === undefined || dueSteps(monitor, alert, clock.nowMs()) === 0) continue
        await escalate({ monitorId: monitor.id, alertId: alert.id }, context, deps)
      }
    },
  }
}

/** How many more of its steps are due. */
function dueSteps({ settings }: Monitor, alert: AlertRow, nowMs: number): number {
  const openMs = nowMs - alert.opened_ms
  const due = settings.escalation.filter(({ afterMs }) => afterMs <= openMs).length
  return Math.max(0, due - alert.escalated)
}

/** What holds the alert back holds its steps back, too: they are taken when it is over. */
async function escalate(
  of: { readonly monitorId: number; readonly alertId: number },
  { database, held, clock, metastore }: JobContext,
  { publicUrl }: Deps,
): Promise<void> {
  const systemZone = metastore.setting('system.timeZone')
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const nowMs = clock.nowMs()
    const monitor = (await listMonitors(transaction)).find(({ id }) => id === of.monitorId)
    if (monitor === undefined) return
    const alert = await requireAlert(transaction, of.alertId)
    const steps = dueSteps(monitor, alert, nowMs)
    if (alert.closed_ms !== null || steps === 0 || !isTold(monitor, alert)) return
    const holding = await findHolding(transaction, monitor, { nowMs, systemZone })
    if ((holding || heldBackBy(alert, nowMs)) !== '') return
    await tell(transaction, { monitor, alert, steps, nowMs }, publicUrl)
  })
}

/** One that was held back as flapping was told to nobody yet. */
function isTold({ groups }: Monitor, { group_key }: AlertRow): boolean {
  const states = groupStates.parse(JSON.parse(groups))
  return states.some(([group, state]) => group === group_key && state.isTold)
}

async function tell(
  transaction: DatabaseTransaction,
  due: {
    readonly monitor: Monitor
    readonly alert: AlertRow
    readonly steps: number
    readonly nowMs: number
  },
  publicUrl: string,
): Promise<void> {
  const { monitor, alert, steps, nowMs } = due
  const { settings } = monitor
  const escalated = alert.escalated + steps
  const targets = settings.escalation.slice(alert.escalated, escalated)
  await changeAlert(transaction, alert.id, { escalated })
  const entry = alertEntry(alert, 'escalated', { count: alert.count, heldBack: '' })
  await insertAudit(transaction, [{ entry, atMs: nowMs }])
  const told = {
    ...{ alert, settings, count: alert.count, atMs: nowMs },
    ...{ sample: alertSample.parse(JSON.parse(alert.sample)), window: alertWindow(alert) },
  }
  const notice = makeNotice({ ...told, kind: 'escalated' }, publicUrl)
  await addMessagesTo(
    transaction,
    targets.map(({ target }) => target),
    {
      ...{ alert_id: alert.id, monitor_id: monitor.id, event: notice.event },
      notice: JSON.stringify(notice),
    },
    nowMs,
  )
}
