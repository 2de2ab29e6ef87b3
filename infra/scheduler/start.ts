// The scheduler: runs the jobs, each in its own time, while this process holds the lease
// `scheduler`. Others stand by.
import { setMaxListeners } from 'node:events'
import type { Clock } from '../clock.ts'
import { runAsHolder } from '../database/run-as-holder.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import type { Job, JobContext, JobEngines } from './job.ts'
import { runJob } from './run-job.ts'
import { makeSchedulerTelemetry, type SchedulerTelemetry } from './telemetry.ts'

const LEASE_NAME = 'scheduler'
/** The first run comes no later than this, however rare the job: a process may live for less. By
 *  then a start is over. */
const FIRST_MS = 60_000

export type Scheduler = {
  /** Bounded: a run that does not end is left alone. The next process may lead at once. */
  stop(): Promise<void>
}

export function startScheduler(deps: {
  readonly engines: JobEngines
  readonly jobs: readonly Job[]
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}): Scheduler {
  const { engines, jobs, clock, logger } = deps
  const stopping = new AbortController()
  const telemetry = makeSchedulerTelemetry(deps)
  const ended = runAsHolder(
    {
      database: engines.database,
      clock,
      logger,
      name: LEASE_NAME,
      signal: stopping.signal,
      onChange: telemetry.leads,
    },
    async (held) => {
      // Each job listens to it; Node 20 warns of more than ten.
      setMaxListeners(0, held.signal)
      const context = { ...engines, clock, logger, held, signal: held.signal }
      await Promise.all(jobs.map((job) => repeat(job, context, telemetry)))
    },
  )
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

async function repeat(job: Job, context: JobContext, telemetry: SchedulerTelemetry): Promise<void> {
  const { clock, signal } = context
  await clock.sleep(Math.min(job.everyMs, FIRST_MS), signal)
  while (!signal.aborted) {
    const beganMs = clock.elapsedMs()
    const outcome = await runJob(job, context)
    telemetry.ran(job, outcome, clock.elapsedMs() - beganMs)
    await clock.sleep(job.everyMs, signal)
  }
}
