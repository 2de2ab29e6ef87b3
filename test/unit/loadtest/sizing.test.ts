import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Load, MEASURED, secondsOfEvent } from '../../../loadtest/sizing/assumptions.ts'
import { makeDay } from '../../../loadtest/sizing/day.ts'
import { planCluster, worstOutage } from '../../../loadtest/sizing/plan.ts'
import { printBytes, printTable, readBytes } from '../../../loadtest/sizing/print.ts'
import { tryPlan } from '../../../loadtest/sizing/scenarios.ts'
import { simulate } from '../../../loadtest/sizing/simulate.ts'

const TEN_TB: Load = {
  bytesPerDay: 10e12,
  eventBytes: 285,
  peakFactor: 3,
  retentionDays: 30,
  outageHours: 12,
}
const SEED = 20_261_121

const load = fc.record({
  bytesPerDay: fc.double({ min: 1e9, max: 10e12, noNaN: true }),
  eventBytes: fc.integer({ min: 80, max: 4000 }),
  peakFactor: fc.double({ min: 1, max: 8, noNaN: true }),
  retentionDays: fc.integer({ min: 1, max: 400 }),
  outageHours: fc.integer({ min: 1, max: 48 }),
})

describe('a day', () => {
  it.each([1, 1.2, 3, 10])('with a peak of %d times its mean has both', (peakFactor) => {
    const at = makeDay(peakFactor)
    const minutes = Array.from({ length: 1440 }, (_, minute) => at(minute))
    expect(minutes.reduce((sum, it) => sum + it) / 1440).toBeCloseTo(1, 9)
    expect(Math.max(...minutes)).toBeCloseTo(peakFactor, 6)
    expect(at(720)).toBe(Math.max(...minutes))
  })
})

describe('the cost of an event', () => {
  it('is the measured one at the measured size, and grows with the size by less than it', () => {
    expect(secondsOfEvent(3.7, MEASURED.eventBytes)).toBeCloseTo(3.7e-6, 12)
    const doubled = secondsOfEvent(3.7, 2 * MEASURED.eventBytes)
    expect(doubled).toBeGreaterThan(3.7e-6)
    expect(doubled).toBeLessThan(2 * 3.7e-6)
  })
})

describe('a plan', () => {
  it('for 10 TB a day follows from the figures by hand', () => {
    const plan = planCluster(TEN_TB)
    // 10e12 / 285 / 86,400, three times that at the peak; 64 bytes of the store for each event, 30
    // days, disks of 8 TB seven tenths full: 12.03 → 13.
    expect(plan.meanEventsPerSecond).toBeCloseTo(406_108, 0)
    expect(plan.peakEventsPerSecond).toBeCloseTo(1_218_324, -1)
    expect(plan.storedBytesPerDay).toBeCloseTo((10e12 / 285) * 64, -3)
    // 1.218e6 × 3.7e-6 / 0.6 (Kafka) / 0.6 (busy) = 12.5 → 13, and one more.
    expect(plan.writers).toBe(14)
    expect(plan.listeners).toBe(8)
    expect(plan).toMatchObject({ shards: 13, storeNodes: 26, brokers: 12, partitions: 120 })
    expect(plan.fitsOneMachine).toBe(false)
  })

  it('has two of each role, three brokers and two replicas at least', () => {
    const plan = planCluster({ ...TEN_TB, bytesPerDay: 1e9 })
    expect(plan).toMatchObject({ listeners: 2, writers: 2, brokers: 3, shards: 1, storeNodes: 2 })
    expect(plan.fitsOneMachine).toBe(true)
  })

  it('gives every writer partitions, and every broker as many', () => {
    fc.assert(
      fc.property(load, (it) => {
        const { partitions, writers, brokers } = planCluster(it)
        expect(partitions).toBeGreaterThanOrEqual(2 * writers)
        expect(partitions % brokers).toBe(0)
      }),
      { seed: SEED, numRuns: 40 },
    )
  })

  it('never shrinks when more comes, when it is kept for longer, or when the store may be away for longer', () => {
    fc.assert(
      fc.property(load, fc.double({ min: 1, max: 3, noNaN: true }), (it, more) => {
        const plan = planCluster(it)
        const larger = [
          planCluster({ ...it, bytesPerDay: it.bytesPerDay * more }),
          planCluster({ ...it, retentionDays: Math.ceil(it.retentionDays * more) }),
          planCluster({ ...it, outageHours: Math.ceil(it.outageHours * more) }),
        ]
        for (const other of larger) {
          expect(other.listeners).toBeGreaterThanOrEqual(plan.listeners)
          expect(other.writers).toBeGreaterThanOrEqual(plan.writers)
          expect(other.brokers).toBeGreaterThanOrEqual(plan.brokers)
          expect(other.storeNodes).toBeGreaterThanOrEqual(plan.storeNodes)
        }
      }),
      { seed: SEED, numRuns: 25 },
    )
  })

  it('lives through every trial, whatever the load', () => {
    fc.assert(
      fc.property(load, (it) => {
        const failed = tryPlan(it, planCluster(it)).filter((trial) => !trial.holds)
        expect(failed.map((trial) => trial.name)).toEqual([])
      }),
      { seed: SEED, numRuns: 25 },
    )
  })
})

describe('the simulation', () => {
  const plan = planCluster(TEN_TB)
  const quiet = { days: 2, faults: [] }
  const storeAway = {
    days: 2,
    faults: [{ kind: 'store', beginMinute: 600, minutes: 240 } as const],
  }

  it('loses no event: what arrived is stored, waits, or was refused', () => {
    for (const cluster of [plan, { ...plan, writers: 3 }, { ...plan, listeners: 2 }]) {
      const { arrived, stored, waiting, refused } = simulate(TEN_TB, cluster, storeAway)
      expect(arrived / ((2 * 10e12) / 285)).toBeCloseTo(1, 9)
      expect((stored + waiting + refused) / arrived).toBeCloseTo(1, 9)
      // Nothing is stored before it came, or twice.
      expect(waiting / arrived).toBeGreaterThan(-1e-9)
    }
  })

  it('shows a store that is away as what waits, and as lateness', () => {
    const course = simulate(TEN_TB, plan, storeAway)
    const expected = worstOutage({ ...TEN_TB, outageHours: 4 }).bytes
    expect(course.refused).toBe(0)
    expect(course.mostWaitingBytes / expected).toBeCloseTo(1, 2)
    expect(course.latestMinutes).toBeGreaterThanOrEqual(240)
    expect(simulate(TEN_TB, plan, quiet).latestMinutes).toBe(0)
  })

  it.each([
    ['listeners', { listeners: 2 }, 'refused'],
    ['brokers', { brokers: 4 }, 'refused'],
    ['writers', { writers: 5 }, 'late'],
  ] as const)('shows that too few %s are too few', (_, fewer, symptom) => {
    const course = simulate(TEN_TB, { ...plan, ...fewer }, quiet)
    if (symptom === 'refused') expect(course.refused).toBeGreaterThan(0)
    else expect(course.latestMinutes).toBeGreaterThan(30)
  })

  it('shows a store with too few cores', () => {
    const weak = { ...quiet, machine: { cores: 8, diskBytes: 8e12 } }
    const course = simulate(TEN_TB, { ...plan, shards: 1 }, weak)
    expect(course.latestMinutes).toBeGreaterThan(30)
  })

  it('refuses what the brokers have no disk for', () => {
    const small = { ...plan, brokerDiskBytes: plan.brokerDiskBytes / 10 }
    expect(simulate(TEN_TB, small, storeAway).refused).toBeGreaterThan(0)
  })
})

describe('amounts', () => {
  it.each([
    ['500GB', 500e9],
    ['1.5 tb', 1.5e12],
    ['10MB', 10e6],
  ])('%s is read', (text, bytes) => {
    expect(readBytes(text)).toBe(bytes)
  })

  it.each(['', '5', '0GB', '-1TB', '5PB', '1,5TB'])('%j is refused', (text) => {
    expect(() => readBytes(text)).toThrow(RangeError)
  })

  it('are printed in two digits', () => {
    expect([84.2e9, 842e9, 1e12, 9.97e6].map(printBytes)).toEqual([
      '84 GB',
      '842 GB',
      '1 TB',
      '10 MB',
    ])
  })
})

describe('the guide', () => {
  it('shows the table that the program prints', () => {
    const { bytesPerDay: _, ...common } = TEN_TB
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/sizing.md'), 'utf8')
    expect(guide).toContain(printTable(common))
  })
})
