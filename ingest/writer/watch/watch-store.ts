// Asks the store each second whether it is there, so that its silence is known before a batch has
// waited for its time (a minute).
import type { Clock } from '../../../infra/clock.ts'
import type { Store } from '../../../infra/store/port.ts'

const EVERY_MS = 800
const LIMIT_MS = 800

/** Tells each answer, or that none came in time, until the signal aborts. */
export async function watchStore(options: {
  readonly store: Pick<Store, 'ping'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onAnswer: (isThere: boolean) => void
}): Promise<void> {
  const { store, clock, signal, onAnswer } = options
  while (!signal.aborted) {
    const isThere = await answersInTime(store, clock)
    if (signal.aborted) return
    onAnswer(isThere)
    await clock.sleep(EVERY_MS, signal)
  }
}

async function answersInTime(store: Pick<Store, 'ping'>, clock: Clock): Promise<boolean> {
  const over = new AbortController()
  const late = clock.sleep(LIMIT_MS, over.signal).then(() => false)
  const answer = store.ping().catch(() => false)
  const isThere = await Promise.race([answer, late])
  over.abort()
  return isThere
}
