// Time and randomness, passed in everywhere; nothing else calls Date.now() or makes random values.
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number
  /** Milliseconds that never go back, whatever is done to the time of day: for durations. The same
   *  for all processes of a machine. */
  elapsedMs(): number
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  randomBytes(count: number): Buffer
}

/** Both count the monotonic clock of the machine; the quick one from the start of the process. */
const STARTED_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => STARTED_MS + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    }),
  randomBytes: (count) => randomBytes(count),
}
