// Runs a piece of work in the one process that holds its lease, for as long as it holds it. Others
// stand by and take over when it ends.
import type { Clock } from '../clock.ts'
import { describeError, type Logger } from '../logger.ts'
import { type Fence, LEASE_MS, Lease } from './lease.ts'
import type { Database } from './port.ts'

const RENEW_EVERY_MS = LEASE_MS / 4
const LOOK_EVERY_MS = 1000

export type Held = Fence & {
  /** Aborts when the lease may be another's, or all is to stop. */
  readonly signal: AbortSignal
}

type Options = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly name: string
  readonly signal: AbortSignal
  /** How often who stands by looks; default 1 s. */
  readonly lookEveryMs?: number
  readonly onChange?: (isHeld: boolean) => void
}

/**
 * Resolves when the work has ended by itself while the lease was held, or the signal aborts; work
 * that ends because the lease was lost runs again when it is ours again. Work must end soon after
 * its signal. Rejects with what the work rejects with.
 */
export async function runAsHolder(
  options: Options,
  work: (held: Held) => Promise<void>,
): Promise<void> {
  const { clock, logger, name, signal, lookEveryMs = LOOK_EVERY_MS } = options
  const lease = new Lease(options)
  let isAway = false
  while (!signal.aborted) {
    try {
      const fence = await lease.tryTake()
      if (fence !== undefined && (await holdWhile(lease, fence, options, work))) return
      isAway = false
    } catch (error) {
      if (error instanceof WorkFailed) throw error.cause
      if (!isAway)
        logger.warn('lease cannot be looked at', { lease: name, ...describeError(error) })
      isAway = true
    }
    await clock.sleep(lookEveryMs, signal)
  }
}

class WorkFailed extends Error {}

/** True when the work has ended by itself. */
async function holdWhile(
  lease: Lease,
  fence: Fence,
  { clock, logger, name, signal, onChange }: Options,
  work: (held: Held) => Promise<void>,
): Promise<boolean> {
  const fields = { lease: name, fence: fence.fence }
  logger.info('lease taken', fields)
  onChange?.(true)
  const lost = new AbortController()
  const done = new AbortController()
  const both = AbortSignal.any([lost.signal, signal])
  const ended = work({ ...fence, signal: both })
    .catch((error: unknown) => {
      throw new WorkFailed('work under a lease failed', { cause: error })
    })
    .finally(() => done.abort())
  const kept = keep(lease, clock, AbortSignal.any([done.signal, signal])).then((isKept) => {
    if (!isKept) lost.abort()
  })
  try {
    await ended
  } finally {
    await kept
    onChange?.(false)
    // If this fails, the lease ends by its time.
    await lease.release().catch(() => undefined)
    logger.info(lost.signal.aborted ? 'lease lost' : 'lease given back', fields)
  }
  return !both.aborted
}

/** Renews until the signal aborts. False as soon as the lease may be another's, also while a
 *  renewal hangs. */
async function keep(lease: Lease, clock: Clock, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await clock.sleep(Math.min(RENEW_EVERY_MS, lease.leftMs()), signal)
    if (signal.aborted) return true
    const leftMs = lease.leftMs()
    if (leftMs === 0) return false
    // A failure is no loss: the next one is tried while time is left.
    const renewed = lease.renew().catch(() => true)
    const over = clock.sleep(leftMs, signal).then(() => signal.aborted)
    if (!(await Promise.race([renewed, over]))) return false
  }
  return true
}
