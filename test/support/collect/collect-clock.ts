// The time of a collector under test. It stands still while a test changes files and while the
// collector works; `pass` moves it on when one of its loops sleeps.
import { type ManualClock, makeManualClock } from '../run/manual-clock.ts'
import { TEST_DATE_MS } from '../run/test-clock.ts'

/** Shorter than the intervals in which the collector scans and retries. */
const STEP_MS = 250

export type CollectClock = ManualClock & { pass(): void }

export function makeCollectClock(): CollectClock {
  const clock = makeManualClock(TEST_DATE_MS)
  let asleep = 0
  return {
    ...clock,
    sleep: async (ms, signal) => {
      asleep += 1
      await clock.sleep(ms, signal)
      asleep -= 1
    },
    pass: () => {
      if (asleep > 0) clock.advance(STEP_MS)
    },
  }
}
