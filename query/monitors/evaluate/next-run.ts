// Which due time of a monitor is run now. Pure.
import { type DuePlan, duesBetween } from '../../../schemas/monitors/schedule.ts'

type NextRun = {
  readonly dueMs: number
  /** Due times before it that nobody ran: the product was down, or the run before took too long. */
  readonly skipped: number
  /** The first of them; 0: none. */
  readonly skippedFromMs: number
}

/** A month with a day more: due times before are not counted any more. */
const LOOK_BACK_MS = 32 * 86_400_000

/**
 * The newest due time that has come, with its delay. Undefined: none since the last one.
 * `lastDueMs` may lie in the future where the clock was set back: then what was due from now on
 * counts, and whoever records a run refuses a due time that has one.
 */
export function findNextRun(
  plan: DuePlan,
  {
    nowMs,
    delayMs,
    lastDueMs,
  }: { readonly nowMs: number; readonly delayMs: number; readonly lastDueMs: number },
): NextRun | undefined {
  const reachedMs = nowMs - delayMs
  const isSetBack = lastDueMs > reachedMs
  const afterMs = Math.max(isSetBack ? reachedMs - 1 : lastDueMs, reachedMs - LOOK_BACK_MS)
  let dueMs: number | undefined
  let count = 0
  let firstMs = 0
  for (const due of duesBetween(plan, afterMs, reachedMs)) {
    count += 1
    if (count === 1) firstMs = due
    dueMs = due
  }
  if (dueMs === undefined) return undefined
  return { dueMs, skipped: count - 1, skippedFromMs: count > 1 ? firstMs : 0 }
}
