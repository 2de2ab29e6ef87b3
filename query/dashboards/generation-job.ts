// Results by the schedule of their app, in the scheduler (docs/decisions/0073): each for whoever
// asked for it, with his rights as they are now; the first one for whoever saved the dashboard.
import type { DashboardResultRow } from '../../infra/database/rows/dashboard-tables.ts'
import { FairQueue } from '../../infra/fair-queue.ts'
import { mayViewApp } from '../../infra/metastore/dashboards/app-access.ts'
import {
  type App,
  type Dashboard,
  listApps,
  listDashboards,
} from '../../infra/metastore/dashboards/read-apps.ts'
import { isOf, madeOf } from '../../infra/metastore/dashboards/stored-results.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { readHiddenEvents } from '../../infra/metastore/retention/hidden-events.ts'
import type { Job, JobContext } from '../../infra/scheduler/job.ts'
import { hideDeleted } from '../../infra/store/hide-deleted.ts'
import { isFailure } from '../../schemas/failures.ts'
import { nextCronRuns, parseCron } from '../../schemas/time/cron.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../schemas/users.ts'
import { openSearchSignal } from '../edge/search-signal.ts'
import { runAndKeep } from './run-dashboard.ts'

export type GenerationLimits = {
  readonly maxQueryMemoryBytes: number
  readonly keptFreeBytes: number
}

const EVERY_MS = 15_000
const LIMIT_MS = 600_000
/** Of one result. */
const RESULT_MS = 120_000
/** Nobody has asked for so long: it is made no more. */
const ASKED_WITHIN_MS = 7 * 86_400_000

export function makeDashboardGeneration(limits: GenerationLimits): Job {
  return {
    name: 'dashboard-generation',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: (context) => generateDue(context, limits),
  }
}

export async function generateDue(context: JobContext, limits: GenerationLimits): Promise<void> {
  const { database, metastore, clock, logger, signal } = context
  const store = hideDeleted(context.store, () => readHiddenEvents(database.read))
  const queue = new FairQueue({ maxRunning: 1, maxWaiting: 8, maxRunningOfOne: 1 })
  const deps = { store, metastore, clock, queue, ...limits }
  const { apps, dashboards, results } = await database.snapshot(async (transaction) => ({
    apps: await listApps(transaction),
    dashboards: await listDashboards(transaction),
    results: await transaction
      .selectFrom('dashboard_results')
      .select(['dashboard_id', 'scope', 'last_log_id', 'made_of', 'user_id'])
      .select(['asked_ms', 'generated_ms'])
      .execute(),
  }))
  for (const dashboard of dashboards) {
    const app = apps.find(({ id }) => id === dashboard.appId)
    if (app === undefined || dashboard.definition.widgets.length === 0) continue
    const own = results.filter(({ dashboard_id }) => dashboard_id === dashboard.id)
    for (const turn of await dueTurns({ app, dashboard, own }, context)) {
      if (signal.aborted) return
      const nowMs = clock.nowMs()
      const deadlineMs = clock.elapsedMs() + RESULT_MS
      const times = { deadlineMs, timeoutMs: RESULT_MS }
      const ended = openSearchSignal({ clock, ...times, cancelOn: [signal] })
      try {
        const question = { app, dashboard, reader: turn.reader, nowMs, askedMs: turn.askedMs }
        const running = { userId: turn.reader.id, signal: ended.signal, ...times }
        await runAndKeep(question, running, deps)
      } catch (error) {
        if (signal.aborted) return
        if (!isFailure(error)) throw error
        logger.warn('result of a dashboard not made', { dashboard: dashboard.id, code: error.code })
      } finally {
        ended.close()
      }
    }
  }
}

type Row = Omit<DashboardResultRow, 'result'>
type Turn = { readonly reader: UserRecord; readonly askedMs: number }

async function dueTurns(
  { app, dashboard, own }: { app: App; dashboard: Dashboard; own: readonly Row[] },
  { metastore, clock }: JobContext,
): Promise<readonly Turn[]> {
  const nowMs = clock.nowMs()
  const current = own.filter(({ made_of }) => made_of === madeOf(app, dashboard))
  const turns: Turn[] = []
  const due = current.filter((row) => isDue(app, row.generated_ms, nowMs, metastore))
  for (const row of due) {
    if (row.asked_ms < nowMs - ASKED_WITHIN_MS && row.user_id !== dashboard.savedBy) continue
    const reader = await readerOf(row.user_id, app, metastore)
    // Rights have changed since, or it was asked with a narrower token.
    if (reader === undefined || !isOf(row, await metastore.visibleLogs(reader))) continue
    turns.push({ reader, askedMs: row.asked_ms })
  }
  if (current.length > 0 || parseCron(app.settings.generation) === undefined) return turns
  // Others who asked for it before it was changed go on having it.
  const users = new Set([dashboard.savedBy, ...own.map(({ user_id }) => user_id)])
  for (const user of users) {
    const reader = await readerOf(user, app, metastore)
    if (reader !== undefined) turns.push({ reader, askedMs: nowMs })
  }
  return turns
}

function isDue(
  { settings }: App,
  generatedMs: number,
  nowMs: number,
  metastore: OpenedMetastore,
): boolean {
  const cron = parseCron(settings.generation)
  if (cron === undefined) return false
  const zone = timeZone(settings.timeZone || metastore.setting('system.timeZone'))
  const [next] = nextCronRuns(cron, zone, generatedMs, 1)
  return next !== undefined && next <= nowMs
}

/** Undefined: he may not view the app any more, or is no more. */
async function readerOf(
  userId: number,
  app: App,
  metastore: OpenedMetastore,
): Promise<UserRecord | undefined> {
  const isAnonymous = userId === ANONYMOUS_USER.id
  if (isAnonymous && metastore.isSecurityOn()) return undefined
  const user = isAnonymous ? ANONYMOUS_USER : metastore.users.byId(userId)
  if (user === undefined) return undefined
  return mayViewApp(app, await metastore.membership(user)) ? user : undefined
}
