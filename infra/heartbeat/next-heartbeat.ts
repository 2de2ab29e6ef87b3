// When the product speaks to its portal again.
import type { Clock } from '../clock.ts'

const MIN_MS = 2000
/** The portal calls a deployment silent after a day. */
const MAX_MS = 12 * 3_600_000
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 3_600_000
/** A share of the wait, so that products that were started together do not stay together. */
const JITTER = 0.1

export const LONGEST_WAIT_MS = MAX_MS * (1 + JITTER)

type Random = Pick<Clock, 'randomBytes'>

/** After a report that was taken. */
export function waitAfterReport(seconds: number, random: Random): number {
  return spread(Math.min(Math.max(seconds * 1000, MIN_MS), MAX_MS), random)
}

/** After `failures` in a row; `askedMs`: what the portal asks for. */
export function waitAfterFailure(failures: number, askedMs: number, random: Random): number {
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20)
  const waitMs = Math.max(Math.min(doubled, MAX_RETRY_MS), Math.min(askedMs, MAX_MS))
  return spread(waitMs, random)
}

function spread(waitMs: number, clock: Random): number {
  const random = clock.randomBytes(2).readUInt16BE(0) / 0xffff
  return Math.round(waitMs * (1 - JITTER + 2 * JITTER * random))
}
