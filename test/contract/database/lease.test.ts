// One holder at a time, whatever the clocks of the processes say and whoever stands still.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { type Fence, LEASE_MS, Lease, requireFence } from '../../../infra/database/lease.ts'
import type { Database } from '../../../infra/database/port.ts'
import { runAsHolder } from '../../../infra/database/run-as-holder.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { silentLogger } from '../../support/database/query-database.ts'

let place: DatabasePlace
const processes: ChildProcess[] = []

beforeEach(async () => {
  place = await makeDatabasePlace()
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  await place.remove()
})

/** A clock of its own: it began somewhere, and runs a little fast or slow. */
function skewed(real: { ms: number }, offsetMs: number, rate: number) {
  const { randomBytes } = systemClock
  return { elapsedMs: () => offsetMs + real.ms * rate, randomBytes }
}

function start() {
  const args = [
    '--import',
    'tsx',
    'test/support/database/database-process.ts',
    ...place.processArguments,
  ]
  const child = spawn(process.execPath, [...args, 'lead'], { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { child, next: async () => (await lines.next()).value }
}

const isLetThrough = (database: Database, held: Fence) =>
  database
    .write((t) => requireFence(t, held))
    .then(
      () => true,
      () => false,
    )

describe('a lease', () => {
  it('has one holder at most, and higher numbers, for clocks of any beginning and 10 % of drift', async () => {
    const databases = [await place.open(), await place.open(), await place.open()]
    const who = fc.integer({ min: 0, max: 2 })
    const commands = fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: 0, max: 4000 }) }),
        },
        { weight: 4, arbitrary: fc.record({ do: fc.constant('take'), who }) },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('renew'), who }) },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), who }) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('take all') }) },
      ),
      { minLength: 15, maxLength: 30 },
    )
    const clocks = fc.array(
      fc.record({
        offset: fc.integer({ min: -1e9, max: 1e9 }),
        rate: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
      }),
      { minLength: 3, maxLength: 3 },
    )
    let runs = 0
    let takeOvers = 0
    await fc.assert(
      fc.asyncProperty(commands, clocks, async (steps, rates) => {
        runs += 1
        const real = { ms: 0 }
        const leases = databases.map((database, index) => {
          const clock = skewed(real, rates[index]?.offset ?? 0, rates[index]?.rate ?? 1)
          return new Lease({ database, clock, name: `run ${runs}` })
        })
        const taken: Fence[] = []
        const take = async (lease: Lease | undefined) => {
          const fence = await lease?.tryTake()
          if (fence !== undefined) taken.push(fence)
        }
        for (const step of steps) {
          const lease = 'who' in step ? leases[step.who] : undefined
          if ('ms' in step) real.ms += step.ms
          else if (step.do === 'take') await take(lease)
          else if (step.do === 'renew') await lease?.renew()
          else if (step.do === 'release') await lease?.release()
          else await Promise.all(leases.map(take))
          expect(leases.filter((one) => one.leftMs() > 0).length).toBeLessThanOrEqual(1)
          expect(taken.map((one) => one.fence)).toEqual(taken.map((_, index) => index + 1))
        }
        const holders = new Set(taken.map((one) => one.holder))
        if (holders.size > 1) takeOvers += 1
        const [database] = databases
        if (database === undefined) return
        for (const old of taken.slice(0, -1)) expect(await isLetThrough(database, old)).toBe(false)
      }),
      { numRuns: 60 },
    )
    expect(takeOvers).toBeGreaterThan(10)
  })

  it('is given to the next one at once when it is given back', async () => {
    const [one, other] = [await place.open(), await place.open()]
    const real = { ms: 0 }
    const [first, second] = [one, other].map(
      (database) => new Lease({ database, clock: skewed(real, 0, 1), name: 'x' }),
    )
    expect(await first?.tryTake()).toMatchObject({ fence: 1 })
    expect(await second?.tryTake()).toBeUndefined()
    await first?.release()
    expect(first?.leftMs()).toBe(0)
    expect(await second?.tryTake()).toMatchObject({ fence: 2 })
    expect(await first?.renew()).toBe(false)
  })

  it('goes over when its holder stands still, who is refused afterwards and knows it', async () => {
    const paused = start()
    expect(await paused.next()).toBe('held 1')
    const waiting = start()
    paused.child.kill('SIGSTOP')
    const startedMs = performance.now()
    expect(await waiting.next()).toBe('held 2')
    expect(performance.now() - startedMs).toBeGreaterThan(LEASE_MS - 1500)
    expect(performance.now() - startedMs).toBeLessThan(30_000)
    paused.child.kill('SIGCONT')
    expect([await paused.next(), await paused.next()]).toEqual(['lost 1', 'database.lease_lost'])
    waiting.child.kill('SIGTERM')
  })

  it('is lost, and its work ended, before another may take it while the database is away', async () => {
    const database = await place.open()
    const stop = new AbortController()
    const events: string[] = []
    let endedMs = 0
    const options = {
      database,
      clock: systemClock,
      logger: silentLogger,
      name: 'x',
      signal: stop.signal,
    }
    const running = runAsHolder(options, async ({ signal, fence }) => {
      events.push(`held ${fence}`)
      while (!signal.aborted) await systemClock.sleep(50, signal)
      endedMs = performance.now()
      events.push('ended')
    })
    await expect.poll(() => events, { timeout: 20_000 }).toEqual(['held 1'])
    await place.hide()
    const hiddenMs = performance.now()
    await expect.poll(() => events, { timeout: 10_000 }).toEqual(['held 1', 'ended'])
    expect(endedMs - hiddenMs).toBeLessThan(LEASE_MS)
    await place.show()
    await expect.poll(() => events, { timeout: 20_000 }).toEqual(['held 1', 'ended', 'held 2'])
    stop.abort()
    await running
  })

  it('lets one after the other do what is done once', async () => {
    const order: string[] = []
    const doOnce = async (name: string) => {
      const database = await place.open()
      const { signal } = new AbortController()
      const options = {
        database,
        clock: systemClock,
        logger: silentLogger,
        name: 'once',
        signal,
        lookEveryMs: 20,
      }
      await runAsHolder(options, async () => {
        order.push(`${name} begins`)
        await systemClock.sleep(50)
        order.push(`${name} ends`)
      })
    }
    await Promise.all(['a', 'b', 'c'].map(doOnce))
    expect(order).toHaveLength(6)
    for (let at = 0; at < 6; at += 2)
      expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'))
  })

  it('hands on what the work fails with', async () => {
    const database = await place.open()
    const { signal } = new AbortController()
    const options = { database, clock: systemClock, logger: silentLogger, name: 'x', signal }
    const failing = runAsHolder(options, async () => {
      throw new Error('of the work')
    })
    await expect(failing).rejects.toThrow('of the work')
    expect(await new Lease({ database, clock: systemClock, name: 'x' }).tryTake()).toMatchObject({
      fence: 2,
    })
  })
})
