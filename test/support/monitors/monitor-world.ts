// Monitors over everything that is real: events by the writer, searches on the embedded store, the
// jobs of the scheduler run by hand under its lease, at times that a test names.
import type { Clock } from '../../../infra/clock.ts'
import { type Fence, Lease } from '../../../infra/database/lease.ts'
import type { Database } from '../../../infra/database/port.ts'
import { monitorRetention } from '../../../infra/metastore/monitors/monitor-retention.ts'
import type { Job } from '../../../infra/scheduler/job.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { makeMonitorRuns } from '../../../query/monitors/run/run-monitors.ts'
import { makeAlertDelivery } from '../../../query/monitors/tell/delivery-job.ts'
import { makeAlertDigest } from '../../../query/monitors/tell/digest-job.ts'
import { makeEscalation } from '../../../query/monitors/tell/escalation-job.ts'
import { makeReportRuns } from '../../../query/reports/run-reports.ts'
import { SDK_COMMANDS, type SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { openTestApp } from '../apps/query-app.ts'
import type { SearchPipeline } from '../apps/search-pipeline.ts'
import { makeConfigurationClient } from '../clients/configuration-client.ts'
import { silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'

/** The clock of tests, so much later. */
type ShiftedClock = Clock & { shift(ms: number): void }

function makeShiftedClock(): ShiftedClock {
  let shiftedMs = 0
  return {
    ...testClock,
    nowMs: () => testClock.nowMs() + shiftedMs,
    shift: (ms) => {
      shiftedMs += ms
    },
  }
}

export type MonitorWorld = ReturnType<typeof openMonitorWorld>

export function openMonitorWorld(
  pipeline: SearchPipeline,
  options: { readonly keyFile: string; readonly mailUrl?: string },
) {
  const clock = makeShiftedClock()
  const { db, engine } = pipeline
  const app = openTestApp(db, engine.store, {
    clock,
    ...options,
    readArrived: pipeline.readArrived,
  })
  const as = (name: string, password: string) =>
    makeConfigurationClient(app.call, { name, password })
  const admin = as('admin', db.adminPassword)
  const run = async (
    command: SdkCommandName,
    given: Readonly<Record<string, string>>,
    client = admin,
  ): Promise<unknown> => {
    const { success, errorMessage, response } = await client.do(command, given)
    if (!success) throw new Error(errorMessage ?? 'refused')
    return response
  }
  const { alerts, monitors, reports, testMonitor } = SDK_COMMANDS
  let leases = 0
  const takeLease = async (): Promise<Fence> => {
    leases += 1
    const lease = new Lease({ database: db.database, clock, name: `scheduler ${leases}` })
    const held = await lease.tryTake()
    if (held === undefined) throw new Error('the lease is not free')
    return held
  }
  const limits = { maxQueryMemoryBytes: 400_000_000, keptFreeBytes: 0 }
  const runs = () =>
    makeMonitorRuns({
      ...limits,
      readArrived: pipeline.readArrived,
      publicUrl: 'https://logs.example',
    })
  const keys = new SecretKeys(options.keyFile, clock)
  const mail =
    options.mailUrl === undefined
      ? undefined
      : { url: options.mailUrl, from: 'Logeye <l@x.example>' }
  const delivery = () => makeAlertDelivery({ keys, mail })
  const reportRuns = (maxAttachmentBytes = 1_000_000) =>
    makeReportRuns({ ...limits, mail, publicUrl: 'https://logs.example', maxAttachmentBytes })
  const digest = makeAlertDigest({ publicUrl: 'https://logs.example' })
  const escalation = makeEscalation({ publicUrl: 'https://logs.example' })
  const runJob = async (job: Job, held: Fence, database: Database = db.database) => {
    const { metastore } = db
    await metastore.refresh()
    const { signal } = new AbortController()
    const around = { clock, logger: silentLogger, signal, held }
    await job.run({ database, metastore, store: engine.store, ...around })
  }
  return {
    ...{ clock, app, as, run, takeLease, runs, delivery, reportRuns, digest, runJob },
    /** The minute after now has come, and what is due in it is run. */
    tick: async (ms = 60_000) => {
      clock.shift(ms)
      await runJob(runs(), await takeLease())
    },
    deliver: async () => await runJob(delivery(), await takeLease()),
    gather: async () => await runJob(digest, await takeLease()),
    escalate: async () => await runJob(escalation, await takeLease()),
    sendReports: async (maxAttachmentBytes?: number) =>
      await runJob(reportRuns(maxAttachmentBytes), await takeLease()),
    reports: async (name: string, client = admin) =>
      reports.answer.parse(await run('reports', { name }, client)),
    removeOld: async () => await runJob(monitorRetention, await takeLease()),
    alerts: async (given: Readonly<Record<string, string>> = {}, client = admin) =>
      alerts.answer.parse(await run('alerts', given, client)),
    monitors: async (name: string) => monitors.answer.parse(await run('monitors', { name })),
    testMonitor: async (given: Readonly<Record<string, string>>, client = admin) =>
      testMonitor.answer.parse(await run('testMonitor', given, client)),
  }
}
