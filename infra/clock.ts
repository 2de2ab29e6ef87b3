// Time and randomness, passed in everywhere; nothing else calls Date.now() or makes random values.
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number
  /** Milliseconds that never go back, for durations. */
  elapsedMs(): number
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  randomBytes(count: number): Buffer
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
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
