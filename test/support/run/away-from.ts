import { setTimeout as sleep } from 'node:timers/promises'

export const FIVE_MINUTES_MS = 300_000
/** As UTC has it. */
export const DAY_MS = 86_400_000

/** Where a test must lie within one hour or day of the clock: waits until the next one has begun
 *  when there are less than `neededMs` of this one. */
export async function awayFromEndOf(lengthMs: number, neededMs: number): Promise<void> {
  const leftMs = lengthMs - (Date.now() % lengthMs)
  if (leftMs < neededMs) await sleep(leftMs + 1000)
}
