import { expect, it } from 'vitest'
import { usageOfHour } from '../../../../portal/demo/demo-usage.ts'

const SHAPE = { seed: 7, bytesPerHour: 1e9, weeklyGrowth: 0.02, weekend: 0.4 }
/** A Monday at 00:00 in UTC, in hours. */
const MONDAY = Date.UTC(2026, 0, 5) / 3_600_000
const sum = (from: number, hours: number, shape = SHAPE) =>
  Array.from({ length: hours }, (_, at) =>
    usageOfHour(shape, MONDAY + from + at, from + at),
  ).reduce((total, { bytes }) => total + bytes, 0)

it('is the same for the same seed, and another for another', () => {
  expect(usageOfHour(SHAPE, MONDAY, 0)).toEqual(usageOfHour(SHAPE, MONDAY, 0))
  expect(sum(0, 168)).not.toBe(sum(0, 168, { ...SHAPE, seed: 8 }))
})

it('has days and nights, working days and weekends, and grows', () => {
  expect(sum(10, 4)).toBeGreaterThan(1.5 * sum(0, 4))
  const [friday, saturday] = [sum(4 * 24, 24), sum(5 * 24, 24)]
  expect(saturday / friday).toBeCloseTo(0.4, 1)
  expect(sum(10 * 168, 168) / sum(0, 168)).toBeCloseTo(1.02 ** 10, 1)
  const { events, bytes } = usageOfHour(SHAPE, MONDAY, 0)
  expect(Number.isInteger(events) && Number.isInteger(bytes) && events > 0).toBe(true)
})
