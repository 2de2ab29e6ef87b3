// The time of a collector under test. It stands still while a test changes files and while the
// collector works; `pass` moves it on when one of its loops sleeps. It begins at the time of the
// file system, since the collector compares it with the times of files.
import { mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../infra/clock.ts'
import { type ManualClock, makeManualClock } from '../run/manual-clock.ts'
import { testClock } from '../run/test-clock.ts'

/** Shorter than the intervals in which the collector scans and retries. */
const STEP_MS = 500

export type CollectClock = ManualClock & { pass(): void }

export function makeCollectClock(path: string): CollectClock {
  const clock = makeManualClock(Math.ceil(statSync(path).mtimeMs))
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

/** Begins at the time of the file system as well, and runs on: for what a collector copies from. */
export function makeFileClock(): Clock {
  const path = mkdtempSync(join(tmpdir(), 'logeye-test-now-'))
  const startMs = Math.ceil(statSync(path).mtimeMs)
  rmdirSync(path)
  const beganMs = testClock.elapsedMs()
  return {
    ...testClock,
    nowMs: () => startMs + Math.floor(testClock.elapsedMs() - beganMs),
  }
}
