// What only helps is asked for a short time: an answer is right without it.
import type { Clock } from '../../infra/clock.ts'

/** Undefined: it has failed, or is not known after `withinMs`; 0: it is not asked. */
export async function askWithin<Value>(
  withinMs: number,
  ask: (late: AbortSignal) => Promise<Value>,
  clock: Clock,
): Promise<Value | undefined> {
  if (withinMs === 0) return undefined
  const late = new AbortController()
  const ended = new AbortController()
  try {
    return await Promise.race([
      ask(late.signal).catch(() => undefined),
      clock.sleep(withinMs, ended.signal).then(() => undefined),
    ])
  } finally {
    ended.abort()
    late.abort()
  }
}
