// What can end a search before it is done: its time, a cancel, the client going away, the product
// stopping (decisions 4.7, 4.8). The signal's reason is the failure to answer.
import type { Clock } from '../../infra/clock.ts'
import { Failure } from '../../schemas/failures.ts'

export type SearchSignal = {
  readonly signal: AbortSignal
  cancel(): void
  /** The answer has begun: its time counts no more. */
  answered(): void
  /** Ends the timer and lets go of the outer signals. */
  close(): void
}

export function openSearchSignal(options: {
  clock: Clock
  /** clock.elapsedMs() at which the time is over. */
  deadlineMs: number
  timeoutMs: number
  /** Signals that cancel: the request's and the product's. */
  cancelOn: readonly AbortSignal[]
}): SearchSignal {
  const { clock, deadlineMs, timeoutMs, cancelOn } = options
  const controller = new AbortController()
  const timed = new AbortController()
  const cancel = () => controller.abort(new Failure('search.cancelled'))
  const close = () => {
    timed.abort()
    for (const outer of cancelOn) outer.removeEventListener('abort', cancel)
  }
  for (const outer of cancelOn) {
    if (outer.aborted) cancel()
    else outer.addEventListener('abort', cancel, { once: true })
  }
  const expire = () => controller.abort(new Failure('search.timeout', { timeoutMs }))
  const restMs = deadlineMs - clock.elapsedMs()
  if (restMs <= 0) expire()
  else
    void clock.sleep(restMs, timed.signal).then(() => {
      if (!timed.signal.aborted) expire()
    })
  return { signal: controller.signal, cancel, answered: () => timed.abort(), close }
}
