// What the scheduler tells: who leads, and of each job how often it ran, how long, and when it last
// succeeded.
import type { Clock } from '../clock.ts'
import { describeError, type LogFields, type Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import type { Job } from './job.ts'
import type { JobOutcome } from './run-job.ts'

const BUCKETS_SECONDS = [0.01, 0.1, 1, 10, 60, 300, 900]

export type SchedulerTelemetry = {
  leads(isLeading: boolean): void
  ran(job: Job, outcome: JobOutcome, ms: number): void
}

export function makeSchedulerTelemetry(deps: {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly logger: Logger
  readonly metrics: Metrics
  readonly jobs: readonly Job[]
}): SchedulerTelemetry {
  const { clock, logger, metrics, jobs } = deps
  const leader = metrics.gauge(
    'logeye_scheduler_leader',
    '1 in the process that leads the scheduler',
  )
  const runs = metrics.counter('logeye_scheduler_runs_total', 'Runs of a job', ['name'])
  const failures = metrics.counter(
    'logeye_scheduler_failures_total',
    'Runs of a job that failed or reached their limit',
    ['name'],
  )
  const succeeded = metrics.gauge(
    'logeye_scheduler_last_success_timestamp_seconds',
    'When a job last succeeded in this process',
    ['name'],
  )
  const durations = metrics.histogram(
    'logeye_scheduler_run_seconds',
    'Time that a run of a job took',
    ['name'],
    BUCKETS_SECONDS,
  )
  leader.set(0)
  for (const { name } of jobs) {
    runs.inc(0, { name })
    failures.inc(0, { name })
  }
  const failing = new Set<string>()

  function fail(job: Job, cause: LogFields): void {
    const { name } = job
    failures.inc(1, { name })
    // Said once: an engine that is away would fill the log with it.
    const level = failing.has(name) ? 'debug' : 'warn'
    failing.add(name)
    logger[level]('job failed, it runs again at its next time', { job: name, ...cause })
  }

  function succeed({ name }: Job): void {
    succeeded.set(clock.nowMs() / 1000, { name })
    if (failing.delete(name)) logger.info('job succeeds again', { job: name })
  }

  return {
    leads: (isLeading) => leader.set(isLeading ? 1 : 0),
    ran: (job, outcome, ms) => {
      if (outcome.kind === 'stopped') return
      const { name, limitMs } = job
      runs.inc(1, { name })
      durations.observe(ms / 1000, { name })
      if (outcome.kind === 'done') succeed(job)
      else fail(job, outcome.kind === 'late' ? { limitMs } : describeError(outcome.error))
    },
  }
}
