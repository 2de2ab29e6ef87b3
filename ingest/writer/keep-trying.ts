// Repeats what the writer needs from its engines until it succeeds or the writer is stopped: giving
// up would lose the place.
import type { Clock } from '../../infra/clock.ts'
import { describeError, type LogFields, type Logger } from '../../infra/logger.ts'
import { retry } from '../../infra/retry.ts'
import { isFailure } from '../../schemas/failures.ts'

/** The writer was stopped; the position is consistent and the next start will go on. */
export class Stopped extends Error {
  override name = 'Stopped'
}

/** Time mends none of these: an operator has to decide, or to start a newer program. */
const FINAL: ReadonlySet<string> = new Set([
  'event_log.another',
  'event_log.damaged',
  'event_log.later_block',
])

export const FIRST_WAIT_MS = 100
export const MAX_WAIT_MS = 2000

/** Fails with Stopped, where an operator has to decide, and with what is no Failure: that is a bug.
 *  `phrase` is logged with each failure; `telemetry` tells it to health while it lasts. */
export async function keepTrying<Result>(
  phrase: string,
  run: () => Promise<Result>,
  around: {
    readonly clock: Clock
    readonly logger: Logger
    readonly partition: number
    readonly signal: AbortSignal
    readonly telemetry: { tries(phrase: string | undefined): void }
  },
): Promise<Result> {
  const { clock, logger, partition, signal, telemetry } = around
  try {
    return await retry(
      async () => {
        checkStopped(signal)
        return await run()
      },
      {
        clock,
        signal,
        limitMs: Number.POSITIVE_INFINITY,
        firstDelayMs: FIRST_WAIT_MS,
        maxDelayMs: MAX_WAIT_MS,
        isRetriable: (error) => !signal.aborted && isFailure(error) && !FINAL.has(error.code),
        onRetry: (error) => {
          telemetry.tries(phrase)
          logTried(logger, phrase, { partition, ...describeError(error) })
        },
      },
    )
  } catch (error) {
    checkStopped(signal)
    throw error
  } finally {
    telemetry.tries(undefined)
  }
}

/** Damaged files are an error, since an operator has to act: time does not repair them. */
export function logTried(logger: Logger, phrase: string, fields: LogFields): void {
  if (String(fields.failure).endsWith('.damaged')) logger.error(phrase, fields)
  else logger.warn(phrase, fields)
}

export function checkStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new Stopped('the writer was stopped')
}
