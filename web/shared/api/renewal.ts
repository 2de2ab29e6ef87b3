// Of a session that ends in mid-work the page stays as it is: calls wait until somebody has signed
// in again.
import { signal } from '@preact/signals'

/** The session has ended, and calls wait for a new one. */
export const isEnded = signal(false)

let renewed = Promise.withResolvers<void>()

/** Whoever waited goes on. */
export function endWaiting(): void {
  isEnded.value = false
  renewed.resolve()
  renewed = Promise.withResolvers<void>()
}

/** Resolves when somebody has signed in again. Throws AbortError. */
export async function renewSession(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  isEnded.value = true
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  await Promise.race([renewed.promise, aborted])
}
