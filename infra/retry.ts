// The one retry loop. Used at engines only.
import { isFailure } from '../schemas/failures.ts'
import type { Clock } from './clock.ts'

export type RetryOptions = {
  readonly clock: Clock
  /** No attempt begins later than this after the first. */
  readonly limitMs: number
  /** Wait after the first failure; doubles up to `maxDelayMs`. Each wait is between half of it and
   *  all of it. */
  readonly firstDelayMs?: number
  readonly maxDelayMs?: number
  /** Which failures are repeated; default those whose entry says retriable. */
  readonly isRetriable?: (error: unknown) => boolean
  /** Ends the loop: the last failure is thrown. */
  readonly signal?: AbortSignal
  /** Told of each failure that is repeated. */
  readonly onRetry?: (error: unknown, delayMs: number) => void
}

/** Gives the first result. Throws the last failure when it is not retriable, at the limit, or after
 *  an abort. */
export async function retry<Result>(
  run: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  const { clock, limitMs, firstDelayMs = 50, maxDelayMs = 5000, signal } = options
  const { isRetriable = saysRetriable } = options
  const begin = clock.elapsedMs()
  for (let ceilingMs = firstDelayMs; ; ceilingMs = Math.min(ceilingMs * 2, maxDelayMs)) {
    try {
      return await run()
    } catch (error) {
      const delayMs = ceilingMs * (0.5 + clock.randomBytes(1).readUInt8(0) / 512)
      const isLate = clock.elapsedMs() - begin + delayMs > limitMs
      if (!isRetriable(error) || isLate || signal?.aborted) throw error
      options.onRetry?.(error, delayMs)
      await clock.sleep(delayMs, signal)
      if (signal?.aborted) throw error
    }
  }
}

function saysRetriable(error: unknown): boolean {
  return isFailure(error) && error.entry.retriable === true
}
