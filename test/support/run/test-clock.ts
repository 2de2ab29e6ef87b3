// The clock of contract tests. Its date is fixed, so that no test passes or fails by the day on
// which it runs; it runs on at the speed of the machine, and `advance` moves it. The variable
// LOGEYE_TEST_DATE (ISO 8601) takes another date: the end of a year, a leap day, a clock change.
import { type Clock, systemClock } from '../../../infra/clock.ts'

/** A Wednesday morning without a clock change near it. */
const DATE = process.env.LOGEYE_TEST_DATE ?? '2026-11-18T10:20:30.000Z'
export const TEST_DATE_MS = Date.parse(DATE)
if (Number.isNaN(TEST_DATE_MS)) throw new Error(`LOGEYE_TEST_DATE is not a date: ${DATE}`)

export type TestClock = Clock & {
  /** Moves the date and the elapsed time on. Sleepers are not woken: manual-clock.ts does that. */
  advance(ms: number): void
}

/** Of the running test file: fixed-seeds.ts restarts it before each. */
export const { testClock, restartTestClock } = makeClock()

function makeClock() {
  let beganMs = 0
  let advancedMs = 0
  const restartTestClock = () => {
    beganMs = systemClock.elapsedMs()
    advancedMs = 0
  }
  restartTestClock()
  const testClock: TestClock = {
    ...systemClock,
    nowMs: () => Math.floor(TEST_DATE_MS + systemClock.elapsedMs() - beganMs + advancedMs),
    elapsedMs: () => systemClock.elapsedMs() + advancedMs,
    advance: (ms) => {
      advancedMs += ms
    },
  }
  return { testClock, restartTestClock }
}

/** The date stands still at that of the tests, so that no day ends in a test; durations run on. */
export const standingClock: Clock = { ...testClock, nowMs: () => TEST_DATE_MS }
