// Several signals as one for as long as something takes. AbortSignal.any is for signals that end
// about together: one that lives as long as the process keeps some 300 bytes of every signal made
// of it (Node 22), for ever. Nor does AbortSignal.any keep a time (AbortSignal.timeout) alive that
// nothing else holds: on Node 20 it is lost with the next collection of garbage.

export type JoinedSignal = {
  /** Ends with the first of them, for its reason. */
  readonly signal: AbortSignal
  /** Lets go of them: to be called when nothing waits for `signal` any more. */
  readonly leave: () => void
}

export function joinSignals(signals: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController()
  const ends = signals.map((signal) => ({ signal, end: () => joined.abort(signal.reason) }))
  for (const { signal, end } of ends) {
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  }
  const leave = () => {
    for (const { signal, end } of ends) signal.removeEventListener('abort', end)
  }
  return { signal: joined.signal, leave }
}
