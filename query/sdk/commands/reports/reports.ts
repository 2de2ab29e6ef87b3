// reports: how reports are doing, and sends one now.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { askReportRun } from '../../../../infra/metastore/reports/report-runs.ts'
import {
  listReports,
  type Report,
  requireReport,
} from '../../../../infra/metastore/reports/reports.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { reports as published } from '../../../../schemas/sdk/reports/reports.ts'
import { printNextRuns, readDuePlan } from '../../../monitors/due-plan.ts'
import { ownerName } from '../../monitors/monitor-owner.ts'
import { printMoment } from '../../monitors/print-moment.ts'
import { serveCommand } from '../../server/serve-command.ts'

const RUNS = 50

export const reports = serveCommand(
  published,
  ({ name, runNow }, { clock, caller, settings: productSettings }) => {
    if (runNow !== undefined && name === undefined)
      throw new Failure('sdk.argument', { argument: 'name', reason: 'is missing: which one' })
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const listed =
        name === undefined
          ? await listReports(transaction, caller.user)
          : [await requireReport(transaction, name, caller.user)]
      const [one] = listed
      if (runNow === true && one !== undefined) await askReportRun(transaction, one, nowMs)
      const described = []
      for (const report of listed) {
        const [last] = await readRuns(transaction, report, 1)
        const plan = readDuePlan({ ...report.settings, businessHours: '' }, productSettings)
        const [next = null] = report.isEnabled ? printNextRuns(plan, nowMs) : []
        described.push({
          ...describe(report),
          owner: await ownerName(transaction, report.ownerId),
          ...{ status: last?.state ?? 'new', reason: last?.reason ?? '' },
          ...{ lastRun: last === undefined ? null : printMoment(Number(last.due_ms)) },
          nextRun: next,
        })
      }
      const runs = name === undefined || one === undefined ? [] : await printRuns(transaction, one)
      return { reports: described, runs }
    }
  },
)

function describe({ name, isEnabled, settings }: Report) {
  const { dashboard, search, schedule, targets } = settings
  return {
    ...{ name, enabled: isEnabled, schedule, targets: [...targets] },
    of: dashboard === '' ? `search ${search}` : `dashboard ${dashboard}`,
  }
}

async function readRuns(transaction: DatabaseTransaction, { id }: Report, count: number) {
  return await transaction
    .selectFrom('report_runs')
    .selectAll()
    .where('report_id', '=', id)
    .orderBy('due_ms', 'desc')
    .limit(count)
    .execute()
}

async function printRuns(transaction: DatabaseTransaction, report: Report) {
  const runs = await readRuns(transaction, report, RUNS)
  const deliveries = await transaction
    .selectFrom('report_deliveries')
    .selectAll()
    .where('report_id', '=', report.id)
    .where('due_ms', '>=', Number(runs.at(-1)?.due_ms ?? 0))
    .orderBy('target_id')
    .execute()
  return runs.map((run) => ({
    ...{ due: printMoment(Number(run.due_ms)), state: run.state, reason: run.reason },
    bytes: run.bytes === null ? null : Number(run.bytes),
    ended: run.ended_ms === null ? null : printMoment(Number(run.ended_ms)),
    skipped: Number(run.skipped),
    deliveries: deliveries
      .filter(({ due_ms }) => Number(due_ms) === Number(run.due_ms))
      .map(({ target_name, state, tries, failure }) => ({
        ...{ target: target_name, state, tries: Number(tries), failure },
      })),
  }))
}
