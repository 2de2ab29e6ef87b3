import { describe, expect, it } from 'vitest'
import { openMetrics } from '../../../../infra/metrics.ts'
import type { Job, JobContext } from '../../../../infra/scheduler/job.ts'
import { runJob } from '../../../../infra/scheduler/run-job.ts'
import { makeSchedulerTelemetry } from '../../../../infra/scheduler/telemetry.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

const LIMIT_MS = 10_000
const GRACE_MS = 150

function makeRun(run: Job['run']) {
  const clock = makeManualClock()
  const stopping = new AbortController()
  const job: Job = { name: 'some-job', everyMs: 60_000, limitMs: LIMIT_MS, run }
  // Of a context these jobs use the signal alone.
  const context = { clock, signal: stopping.signal } as unknown as JobContext
  return { clock, stopping, outcome: runJob(job, context) }
}

const never = () => new Promise<void>(() => undefined)
/** What was promised by then has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a run of a job', () => {
  it('is done when the job is, and failed with what it fails with', async () => {
    expect(await makeRun(async () => undefined).outcome).toEqual({ kind: 'done' })
    const error = new Failure('store.unavailable')
    expect(await makeRun(() => Promise.reject(error)).outcome).toEqual({ kind: 'failed', error })
    const bug = new TypeError('of the job')
    const thrown = makeRun(() => {
      throw bug
    })
    expect(await thrown.outcome).toEqual({ kind: 'failed', error: bug })
  })

  it('is late at its limit: the job is told, and is not waited for when it does not obey', async () => {
    let told: AbortSignal | undefined
    const { clock, outcome } = makeRun(({ signal }) => {
      told = signal
      return never()
    })
    await turn()
    clock.advance(LIMIT_MS - 1)
    await turn()
    expect(told?.aborted).toBe(false)
    clock.advance(1)
    await turn()
    expect(told?.aborted).toBe(true)
    clock.advance(GRACE_MS)
    expect(await outcome).toEqual({ kind: 'late' })
  })

  it('is late also when the job ends quietly because it was told to', async () => {
    const { clock, outcome } = makeRun(
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    )
    await turn()
    clock.advance(LIMIT_MS)
    expect(await outcome).toEqual({ kind: 'late' })
  })

  it('is stopped with the signal of the context, soon, whatever the job does', async () => {
    for (const run of [never, ({ signal }: JobContext) => failWith(signal)]) {
      const { clock, stopping, outcome } = makeRun(run)
      await turn()
      stopping.abort()
      await turn()
      clock.advance(GRACE_MS)
      expect(await outcome).toEqual({ kind: 'stopped' })
    }
  })
})

function failWith(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Failure('store.cancelled')))
  })
}

describe('the telemetry of jobs', () => {
  it('counts runs and failures, times them, and says the first failure of a row and its end', async () => {
    const clock = makeManualClock()
    const metrics = openMetrics('work')
    const lines: string[] = []
    const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`)
    const logger = {
      error: note('error'),
      warn: note('warn'),
      info: note('info'),
      debug: note('debug'),
      isEnabled: () => true,
    }
    const job: Job = { name: 'some-job', everyMs: 1, limitMs: LIMIT_MS, run: never }
    const telemetry = makeSchedulerTelemetry({ clock, logger, metrics, jobs: [job] })
    telemetry.ran(job, { kind: 'failed', error: new Failure('store.unavailable') }, 20)
    telemetry.ran(job, { kind: 'late' }, LIMIT_MS)
    telemetry.ran(job, { kind: 'stopped' }, 20)
    expect(await metrics.text()).not.toContain('last_success_timestamp_seconds{')
    telemetry.ran(job, { kind: 'done' }, 20)
    telemetry.ran(job, { kind: 'done' }, 20)
    const text = await metrics.text()
    const labels = '{name="some-job",process="work"}'
    expect(text).toContain(`logeye_scheduler_runs_total${labels} 4`)
    expect(text).toContain(`logeye_scheduler_failures_total${labels} 2`)
    expect(text).toMatch(/^logeye_scheduler_run_seconds_count\{[^}]*\} 4$/m)
    const nowSeconds = clock.nowMs() / 1000
    expect(text).toContain(`logeye_scheduler_last_success_timestamp_seconds${labels} ${nowSeconds}`)
    expect(lines).toEqual([
      'warn: job failed, it runs again at its next time',
      'debug: job failed, it runs again at its next time',
      'info: job succeeds again',
    ])
  })
})
