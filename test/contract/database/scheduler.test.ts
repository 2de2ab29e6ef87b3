// Jobs run in one process of all on the database, and go on in another when it dies.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { LEASE_MS, Lease } from '../../../infra/database/lease.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import type { Job } from '../../../infra/scheduler/job.ts'
import { type Scheduler, startScheduler } from '../../../infra/scheduler/start.ts'
import { open, place, useMetastores } from '../../support/database/open-metastores.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

useMetastores()

const SOON = { timeout: 20_000, interval: 20 }

const processes: ChildProcess[] = []
const schedulers: Scheduler[] = []

afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  for (const scheduler of schedulers.splice(0)) await scheduler.stop()
})

/** Says `ran` for each run of its job. */
function startProcess() {
  const script = 'test/support/database/database-process.ts'
  const args = ['--import', 'tsx', script, ...place.processArguments, 'schedule']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.push(child)
  const said: string[] = []
  createInterface(child.stdout).on('line', (line) => void said.push(line))
  return { child, said }
}

async function start(...jobs: Job[]) {
  const metastore = await open()
  const { database } = metastore
  const metrics = openMetrics('test')
  const scheduler = startScheduler({
    engines: { database, store: makeFailingStore(() => []), metastore },
    jobs,
    clock: systemClock,
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
  it('runs a job in one of two processes only, and in the other when the first is killed', async () => {
    const first = startProcess()
    await expect.poll(() => first.said.length, SOON).toBeGreaterThan(1)
    const other = startProcess()
    await expect.poll(() => other.said, SOON).toEqual(['stands by'])
    const before = first.said.length
    await expect.poll(() => first.said.length, SOON).toBeGreaterThan(before + 20)
    expect(other.said).toEqual(['stands by'])
    const killedMs = performance.now()
    first.child.kill('SIGKILL')
    await expect.poll(() => other.said.includes('ran'), SOON).toBe(true)
    expect(performance.now() - killedMs).toBeGreaterThan(LEASE_MS / 2)
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
    await expect.poll(() => told.length, SOON).toBeGreaterThan(2)
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
    const metric = (name: string) =>
      expect.stringContaining(`logeye_scheduler_${name}{name="failing",process="test"}`)
    await expect.poll(text, SOON).toEqual(metric('last_success_timestamp_seconds'))
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
        await systemClock.sleep(5000, signal)
      }),
    )
    const { scheduler } = await start(...jobs)
    await expect.poll(() => running.size, SOON).toBe(jobs.length)
    await scheduler.stop()
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('does not wait for a run that does not obey, and leaves the lease free', async () => {
    let runs = 0
    const { scheduler, text } = await start(
      makeJob('deaf', () => {
        runs += 1
        return new Promise(() => undefined)
      }),
    )
    await expect.poll(() => runs, SOON).toBe(1)
    const beganMs = performance.now()
    await scheduler.stop()
    // The run may take five seconds.
    expect(performance.now() - beganMs).toBeLessThan(4000)
    const next = new Lease({ database: await place.open(), clock: systemClock, name: 'scheduler' })
    expect(await next.tryTake()).toMatchObject({ fence: 2 })
    expect(await text()).toContain('logeye_scheduler_leader{process="test"} 0')
    expect(runs).toBe(1)
  })
})
