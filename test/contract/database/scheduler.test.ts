// Jobs run in one process of all on the database, and continue in another when it stands still.
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { LEASE_MS, Lease } from '../../../infra/database/lease.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import type { Job } from '../../../infra/scheduler/job.ts'
import { type Scheduler, startScheduler } from '../../../infra/scheduler/start.ts'
import { open, place, useMetastores } from '../../support/database/open-metastores.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { type ManualClock, makeManualClock } from '../../support/run/manual-clock.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

useMetastores()

const schedulers: Scheduler[] = []

afterEach(async () => {
  for (const scheduler of schedulers.splice(0)) await scheduler.stop()
})

const start = (...jobs: Job[]) => startAt(testClock, jobs)

async function startAt(clock: Clock, jobs: readonly Job[]) {
  const metastore = await open()
  const { database } = metastore
  const metrics = openMetrics('test')
  const scheduler = startScheduler({
    engines: { database, store: makeFailingStore(() => []), metastore },
    jobs,
    clock,
    logger: silentLogger,
    metrics,
  })
  schedulers.push(scheduler)
  return { scheduler, text: () => metrics.text() }
}

const makeJob = (name: string, run: Job['run'], limitMs = 5000): Job => ({
  name,
  everyMs: 30,
  limitMs,
  run,
})

describe('the scheduler', () => {
  it('runs a job in one of two processes only, and in the other when the first stands still', async () => {
    const [clock, otherClock] = [makeManualClock(), makeManualClock()]
    const ran: string[] = []
    const jobOf = (name: string) => makeJob('counted', async () => void ran.push(name))
    const pass = (
      state: string,
      isSo: () => boolean,
      clocks: readonly ManualClock[],
      stepMs = 10,
    ) =>
      waitUntil(
        state,
        () => {
          if (isSo()) return true
          for (const one of clocks) one.advance(stepMs)
          return false
        },
        () => ran,
      )
    await startAt(clock, [jobOf('first')])
    await pass('the first has run it', () => ran.length > 1, [clock])
    await startAt(otherClock, [jobOf('other')])
    const before = ran.length
    await pass('it ran often', () => ran.length > before + 20, [clock, otherClock])
    expect(new Set(ran)).toEqual(new Set(['first']))
    // Its clock is not moved any more: as one that is paused, killed or cut off.
    const stoodMs = otherClock.elapsedMs()
    await pass('the other runs it', () => ran.includes('other'), [otherClock], 200)
    expect(otherClock.elapsedMs() - stoodMs).toBeGreaterThan(LEASE_MS / 2)
  })

  it('ends a run that hangs at its limit, begins it again, and lets no other job wait', async () => {
    const told: AbortSignal[] = []
    let others = 0
    const hanging = makeJob(
      'hanging',
      ({ signal }) => {
        told.push(signal)
        return new Promise(() => undefined)
      },
      100,
    )
    const quick = makeJob('quick', async () => {
      others += 1
    })
    const { text } = await start(hanging, quick)
    await waitUntil('it was ended twice', () => told.length > 2)
    expect(told.slice(0, -1).every((signal) => signal.aborted)).toBe(true)
    expect(others).toBeGreaterThan(told.length)
    const failures = /logeye_scheduler_failures_total\{name="(\w+)",process="test"\} (\d+)/g
    const counted = Object.fromEntries(
      [...(await text()).matchAll(failures)].map(([, name, count]) => [name, Number(count)]),
    )
    expect(counted.hanging).toBeGreaterThan(1)
    expect(counted.quick).toBe(0)
  })

  it('runs a job that fails again', async () => {
    let runs = 0
    const { text } = await start(
      makeJob('failing', async () => {
        runs += 1
        if (runs < 3) throw new Error('not yet')
      }),
    )
    await waitUntil('it has succeeded', async () =>
      (await text()).includes(
        'logeye_scheduler_last_success_timestamp_seconds{name="failing",process="test"}',
      ),
    )
    expect(await text()).toContain(
      'logeye_scheduler_failures_total{name="failing",process="test"} 2',
    )
  })

  it('runs dozens of jobs at once, without a warning of too many listeners', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on('warning', note)
    const running = new Set<number>()
    const jobs = Array.from({ length: 40 }, (_, at) =>
      makeJob(`job-${at}`, async ({ signal }) => {
        running.add(at)
        await once(signal, 'abort')
      }),
    )
    const { scheduler } = await start(...jobs)
    await waitUntil('all run', () => running.size === jobs.length)
    await scheduler.stop()
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('does not wait for a run that does not obey, and leaves the lease free', async () => {
    let runs = 0
    const { scheduler, text } = await start(
      makeJob(
        'deaf',
        () => {
          runs += 1
          return new Promise(() => undefined)
        },
        // Whoever waits for the run waits for longer than a test may take.
        3_600_000,
      ),
    )
    await waitUntil('it runs', () => runs === 1)
    await scheduler.stop()
    const next = new Lease({ database: await place.open(), clock: testClock, name: 'scheduler' })
    expect(await next.tryTake()).toMatchObject({ fence: 2 })
    expect(await text()).toContain('logeye_scheduler_leader{process="test"} 0')
    expect(runs).toBe(1)
  })
})
