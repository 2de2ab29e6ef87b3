// The end of a run, in one transaction with the alerts that it opens and closes, their entries for
// the log of alerts, and what is told to the monitor's targets.

import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { AlertRow } from '../../../infra/database/rows/monitor-tables.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import { changeAlert, openAlert, openAlertsOf } from '../../../infra/metastore/monitors/alerts.ts'
import {
  changeMonitorMemory,
  readMonitorMemory,
} from '../../../infra/metastore/monitors/monitor-kinds.ts'
import { claimEnd, endRun, type Run } from '../../../infra/metastore/monitors/monitor-runs.ts'
import type { Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import type { MonitorSettings } from '../../../schemas/monitors/monitor.ts'
import { parseRule } from '../../../schemas/monitors/rule.ts'
import { bothSeen, printSeen, readSeen } from '../../../schemas/monitors/seen.ts'
import type { TimeWindow } from '../../../schemas/time/time-window.ts'
import { judge } from '../evaluate/judge.ts'
import { type AlertChange, groupStates, stepAlerts } from '../evaluate/step-alerts.ts'
import { changeOfMemory } from '../novelty/change-memory.ts'
import type { Observed } from '../question.ts'
import { addMessagesTo } from '../tell/add-messages-to.ts'
import { alertEntry } from '../tell/alert-entry.ts'
import { findHolding, heldBackBy } from '../tell/holding.ts'
import { makeNotice } from '../tell/make-notice.ts'
import type { Pictures } from '../tell/read-pictures.ts'
import { sampleOf } from '../tell/sample-of.ts'
import { windowOf } from './window-of.ts'

type Ended = {
  readonly monitor: Monitor
  readonly run: Run
  readonly observed: Observed & { readonly pictures: Pictures }
}
type RecordDeps = { readonly publicUrl: string }

/** Nothing is changed where somebody else has ended the run. Fails with database.lease_lost. */
export async function recordEnd(
  { run, observed }: Ended,
  { database, held, clock, metastore }: JobContext,
  deps: RecordDeps,
): Promise<void> {
  const systemZone = metastore.setting('system.timeZone')
  await database.write(async (transaction) => {
    const nowMs = clock.nowMs()
    const monitor = await claimEnd(transaction, held, run)
    if (monitor === undefined) return
    const { settings } = monitor
    const rule = parseRule(settings.rule) ?? { kind: 'exists' }
    const before = new Map(groupStates.parse(JSON.parse(monitor.groups)))
    const open = await openAlertsOf(transaction, monitor.id)
    const holding = await findHolding(transaction, monitor, { nowMs, systemZone })
    const verdicts = judge(rule, observed, before.keys())
    const { states, changes } = stepAlerts(settings, before, {
      verdicts,
      dueMs: run.dueMs,
      heldBack: (group) => holding || heldBackBy(open.get(group), nowMs),
    })
    const facts = { monitor, run, observed, nowMs, window: searchWindow(settings, run, monitor) }
    for (const change of changes)
      await applyChange(transaction, change, open.get(change.group), facts, deps)
    const changed = new Set(changes.map(({ group }) => group))
    for (const [group, { isFailing, count }] of verdicts) {
      const alert = open.get(group)
      if (isFailing && alert !== undefined && !changed.has(group))
        await changeAlert(transaction, alert.id, {
          ...{ last_ms: run.dueMs, count },
          seen: printSeen(bothSeen(readSeen(alert.seen), observed.seen)),
        })
    }
    if (observed.memory !== undefined) {
      const known = await readMonitorMemory(transaction, monitor.id)
      await changeMonitorMemory(transaction, monitor.id, changeOfMemory(known, observed.memory))
    }
    const failing = [...verdicts.values()].filter(({ isFailing }) => isFailing).length
    const countOf = (kind: AlertChange['kind']) => changes.filter((it) => it.kind === kind).length
    await endRun(
      transaction,
      run,
      {
        ...{ state: failing > 0 ? 'failed' : 'passed', reason: '', failing },
        ...{ opened: countOf('opened'), closed: countOf('closed') },
        groups: JSON.stringify([...states]),
      },
      nowMs,
    )
  })
}

/** What the run could not do; its events are read by the next one. */
export async function recordError(
  { run }: Pick<Ended, 'run'>,
  reason: string,
  { database, held, clock }: JobContext,
): Promise<void> {
  await database.write(async (transaction) => {
    if ((await claimEnd(transaction, held, run)) === undefined) return
    const nothing = { failing: 0, opened: 0, closed: 0 }
    await endRun(transaction, run, { state: 'error', reason, ...nothing }, clock.nowMs())
  })
}

type Facts = {
  readonly monitor: Monitor
  readonly run: Run
  readonly observed: Ended['observed']
  readonly nowMs: number
  readonly window: TimeWindow
}

async function applyChange(
  transaction: DatabaseTransaction,
  change: AlertChange,
  open: AlertRow | undefined,
  { monitor, run, observed, nowMs, window }: Facts,
  deps: RecordDeps,
): Promise<void> {
  const { settings } = monitor
  const { kind, group, count, heldBack } = change
  const sample = sampleOf(observed.sample, settings.groupBy, group)
  const seen = printSeen(observed.seen)
  const alert =
    open ??
    (await openAlert(transaction, {
      ...{ monitor_id: monitor.id, monitor_name: monitor.name, group_key: group },
      ...{ severity: settings.severity, opened_ms: run.dueMs, count, query: settings.query },
      rule: settings.rule,
      ...{ sample: JSON.stringify(sample), time_window: JSON.stringify(window), seen },
    }))
  if (kind === 'repeated')
    await changeAlert(transaction, alert.id, {
      ...{ last_ms: run.dueMs, count },
      ...{ sample: JSON.stringify(sample), time_window: JSON.stringify(window), seen },
    })
  if (kind === 'closed') await changeAlert(transaction, alert.id, { closed_ms: run.dueMs })
  const entry = alertEntry(alert, kind, { count, heldBack })
  await insertAudit(transaction, [{ entry, atMs: nowMs }])
  if (heldBack !== '') return
  const picture = observed.pictures.get(group)
  const told = { alert, kind, settings, count, sample, atMs: run.dueMs, window, picture }
  const notice = JSON.stringify(makeNotice(told, deps.publicUrl))
  const escalated = settings.escalation.slice(0, kind === 'closed' ? alert.escalated : 0)
  const targets = [...settings.actions, ...escalated.map(({ target }) => target)]
  const message = { alert_id: alert.id, monitor_id: monitor.id, event: kind, notice }
  await addMessagesTo(transaction, targets, message, nowMs)
}

const DAY_MS = 86_400_000

/** Of a search that shows the rows: with a mark, the time of what came since the last run is not
 *  known; a day before is what a link shows then. */
function searchWindow(settings: MonitorSettings, run: Run, { sinceMs }: Monitor): TimeWindow {
  const window = windowOf(settings, run.dueMs)
  if (window.startMs !== null) return window
  const startMs = Math.max(run.dueMs - DAY_MS, Math.min(sinceMs, run.dueMs - 3_600_000))
  return { startMs, endMs: run.dueMs + 60_000 }
}
