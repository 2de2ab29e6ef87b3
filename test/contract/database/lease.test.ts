// One holder at a time, whatever the clocks of the processes say and whoever stands still.
import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { type Fence, LEASE_MS, Lease, requireFence } from '../../../infra/database/lease.ts'
import type { Database } from '../../../infra/database/port.ts'
import { runAsHolder } from '../../../infra/database/run-as-holder.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const STEP_MS = 100
let place: DatabasePlace

beforeEach(async () => {
  place = await makeDatabasePlace()
})
afterEach(() => place.remove())

/** A clock of its own: it began somewhere, and runs a little fast or slow. */
function skewed(real: { ms: number }, offsetMs: number, rate: number) {
  const { randomBytes } = testClock
  return { elapsedMs: () => offsetMs + real.ms * rate, randomBytes }
}

/** A process of its own: it runs while its clock is moved, and stands still otherwise. Its events
 *  are `held <fence>` and `lost <fence>`. */
async function startHolder({ writesAfter = false }: { readonly writesAfter?: boolean } = {}) {
  const database = await place.open()
  const clock = makeManualClock()
  const stop = new AbortController()
  const events: string[] = []
  const options = { database, clock, logger: silentLogger, name: 'x', signal: stop.signal }
  const running = runAsHolder(options, async (held) => {
    events.push(`held ${held.fence}`)
    await once(held.signal, 'abort')
    events.push(`lost ${held.fence}`)
    if (writesAfter && !stop.signal.aborted)
      events.push(`writes: ${await isLetThrough(database, held)}`)
  })
  return {
    clock,
    events,
    until: (...wanted: readonly string[]) =>
      waitUntil(
        `it has said ${wanted}`,
        () => {
          if (events.length >= wanted.length) return true
          clock.advance(STEP_MS)
          return false
        },
        () => events,
      ).then(() => expect(events.slice(0, wanted.length)).toEqual(wanted)),
    stop: async () => {
      stop.abort()
      await running
    },
  }
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
      { numRuns: series(20, 60) },
    )
    expect(takeOvers).toBeGreaterThan(series(3, 10))
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
    const paused = await startHolder({ writesAfter: true })
    await paused.until('held 1')
    const waiting = await startHolder()
    await waiting.until('held 2')
    expect(waiting.clock.elapsedMs()).toBeGreaterThanOrEqual(LEASE_MS)
    expect(paused.events).toEqual(['held 1'])
    // It runs again, after all that time.
    paused.clock.advance(waiting.clock.elapsedMs())
    await paused.until('held 1', 'lost 1', 'writes: false')
    await paused.stop()
    await waiting.stop()
  })

  it('is lost, and its work ended, before another may take it while the database is away', async () => {
    const holder = await startHolder()
    await holder.until('held 1')
    await place.hide()
    const hiddenMs = holder.clock.elapsedMs()
    await holder.until('held 1', 'lost 1')
    expect(holder.clock.elapsedMs() - hiddenMs).toBeLessThan(LEASE_MS)
    await place.show()
    await holder.until('held 1', 'lost 1', 'held 2')
    await holder.stop()
  })

  it('lets one after the other do what is done once', async () => {
    const order: string[] = []
    let looks = 0
    const lookEveryMs = 20
    const clock: Clock = {
      ...testClock,
      sleep: (ms, signal) => {
        if (ms === lookEveryMs) looks += 1
        return testClock.sleep(ms, signal)
      },
    }
    const doOnce = async (name: string) => {
      const database = await place.open()
      const { signal } = new AbortController()
      const options = { database, clock, logger: silentLogger, name: 'once', signal, lookEveryMs }
      await runAsHolder(options, async () => {
        order.push(`${name} begins`)
        const before = looks
        const isLast = order.length > 4
        await waitUntil('others have looked at it', () => isLast || looks > before + 1)
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
    const options = { database, clock: testClock, logger: silentLogger, name: 'x', signal }
    const failing = runAsHolder(options, async () => {
      throw new Error('of the work')
    })
    await expect(failing).rejects.toThrow('of the work')
    expect(await new Lease({ database, clock: testClock, name: 'x' }).tryTake()).toMatchObject({
      fence: 2,
    })
  })
})
