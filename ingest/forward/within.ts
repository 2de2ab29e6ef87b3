// A limit of time that holds whatever the work does with its signal.
import { joinSignals } from '../../infra/join-signals.ts'

/** Rejects with the signal's reason, or as AbortSignal.timeout does; the work, whose signal has
 *  ended by then, is left to itself. */
export async function within<T>(
  limits: { readonly ms: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(limits.ms)
  // AbortSignal.any does not keep a time alive that nothing else holds (Node 20).
  const { signal, leave } = joinSignals(limits.signal ? [limits.signal, late] : [late])
  try {
    signal.throwIfAborted()
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return await Promise.race([ended, work(signal)])
  } finally {
    leave()
  }
}
