// monitors: how monitors are doing, and mutes one.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { askRun } from '../../../../infra/metastore/monitors/monitor-runs.ts'
import {
  listMonitors,
  type Monitor,
  muteMonitor,
} from '../../../../infra/metastore/monitors/monitors.ts'
import type { Settings } from '../../../../infra/metastore/settings/port.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { duesBetween } from '../../../../schemas/monitors/schedule.ts'
import { monitors as published } from '../../../../schemas/sdk/monitors/monitors.ts'
import { readDuePlan } from '../../../monitors/due-plan.ts'
import {
  mayKnowMonitor,
  monitorViewer,
  ownerName,
  requireKnownMonitor,
  requireOwnMonitor,
} from '../../monitors/monitor-owner.ts'
import { printMoment, readUntil } from '../../monitors/print-moment.ts'
import { serveCommand } from '../../server/serve-command.ts'

const RUNS = 50
const YEAR_MS = 366 * 86_400_000

export const monitors = serveCommand(
  published,
  async ({ name, muteUntil, runNow }, { clock, caller, settings, readArrived }) => {
    const markTo = runNow === true ? JSON.stringify(await readArrived()) : undefined
    if ((muteUntil !== undefined || runNow !== undefined) && name === undefined)
      throw new Failure('sdk.argument', {
        argument: 'name',
        reason: 'is missing: which one',
      })
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const viewer = monitorViewer(caller.user)
      if (muteUntil !== undefined && name !== undefined) {
        await requireOwnMonitor(transaction, name, viewer)
        await muteMonitor(transaction, name, readUntil(muteUntil, nowMs))
      }
      if (markTo !== undefined && name !== undefined) {
        const monitor = await requireOwnMonitor(transaction, name, viewer)
        await askRun(transaction, monitor, { markTo, nowMs })
      }
      const listed =
        name === undefined
          ? (await listMonitors(transaction)).filter((one) => mayKnowMonitor(one, viewer))
          : [await requireKnownMonitor(transaction, name, viewer)]
      const open = await countOpen(transaction)
      const described = []
      for (const monitor of listed)
        described.push({
          ...describe(monitor, nowMs, settings),
          owner: await ownerName(transaction, monitor.ownerId),
          openAlerts: open.get(monitor.id) ?? 0,
        })
      const [one] = listed
      const runs =
        name === undefined || one === undefined ? [] : await readRuns(transaction, one.id)
      return { monitors: described, runs }
    }
  },
)

function describe(monitor: Monitor, nowMs: number, productSettings: Settings) {
  const { name, isEnabled, settings, status, reason, statusMs, mutedUntilMs } = monitor
  const plan = readDuePlan(settings, productSettings)
  const [next] = isEnabled ? duesBetween(plan, nowMs, nowMs + YEAR_MS) : []
  return {
    ...{ name, enabled: isEnabled, severity: settings.severity, schedule: settings.schedule },
    ...{ status, reason, statusAt: printMoment(statusMs) },
    nextRun: next === undefined ? null : printMoment(next),
    mutedUntil: mutedUntilMs > nowMs ? printMoment(mutedUntilMs) : null,
  }
}

async function countOpen(transaction: DatabaseTransaction): Promise<ReadonlyMap<number, number>> {
  const rows = await transaction
    .selectFrom('alerts')
    .select(['monitor_id', (eb) => eb.fn.countAll<number>().as('open')])
    .where('closed_ms', 'is', null)
    .groupBy('monitor_id')
    .execute()
  return new Map(rows.map(({ monitor_id, open }) => [Number(monitor_id), Number(open)]))
}

async function readRuns(transaction: DatabaseTransaction, monitorId: number) {
  const rows = await transaction
    .selectFrom('monitor_runs')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .orderBy('due_ms', 'desc')
    .limit(RUNS)
    .execute()
  return rows.map((row) => ({
    ...{ due: printMoment(Number(row.due_ms)), state: row.state, reason: row.reason },
    ...{ failing: Number(row.failing), opened: Number(row.opened), closed: Number(row.closed) },
    skipped: Number(row.skipped),
    skippedFrom:
      Number(row.skipped_from_ms) === 0 ? null : printMoment(Number(row.skipped_from_ms)),
  }))
}
