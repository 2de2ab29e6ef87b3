// A clock that is set: what the demo fills in happened at the times it tells of. Randomness is that
// of the machine: ids, passwords and tokens cannot be guessed from the seed.
import type { Clock } from '../../infra/clock.ts'

export type DemoClock = Clock & {
  /** Never back. */
  setTo(ms: number): void
}

export function makeDemoClock(clock: Clock, startMs: number): DemoClock {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    elapsedMs: () => clock.elapsedMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    randomBytes: (count) => clock.randomBytes(count),
    setTo: (ms) => {
      nowMs = Math.max(nowMs, ms)
    },
  }
}
