// A clock that stands until a test moves it. Sleepers wake when their time is reached.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../infra/clock.ts'

export type ManualClock = Clock & { advance(ms: number): void }

export function makeManualClock(startMs = Date.UTC(2026, 10, 20, 12)): ManualClock {
  let passedMs = 0
  const sleepers = new Set<{ untilMs: number; wake: () => void }>()
  return {
    nowMs: () => startMs + passedMs,
    elapsedMs: () => passedMs,
    randomBytes,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve()
        const sleeper = {
          untilMs: passedMs + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
    advance: (ms) => {
      passedMs += ms
      for (const sleeper of sleepers) if (sleeper.untilMs <= passedMs) sleeper.wake()
    },
  }
}
