// An answer of the server that a component shows: on its way, there, or failed, and asked again.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { CallError, isAborted } from './api/call.ts'

export type Asked<Answer> = {
  /** The newest one; it stays while it is asked for again. */
  readonly answer: Answer | undefined
  readonly error: CallError | undefined
  readonly isBusy: boolean
  readonly again: () => void
}

/** `key` says when it is another question. */
export function useAsked<Answer>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Asked<Answer> {
  const [told, setTold] = useState<{ key: string; answer: Answer }>()
  const [error, setError] = useState<CallError>()
  const [isBusy, setBusy] = useState(true)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    const ending = new AbortController()
    setBusy(true)
    ask(ending.signal).then(
      (answer) => {
        if (ending.signal.aborted) return
        setTold({ key, answer })
        setError(undefined)
        setBusy(false)
      },
      (thrown: unknown) => {
        if (ending.signal.aborted || isAborted(thrown)) return
        setError(thrown instanceof CallError ? thrown : new CallError(String(thrown), {}))
        setBusy(false)
      },
    )
    return () => ending.abort()
  }, [key, times])
  const again = useCallback(() => setTimes((before) => before + 1), [])
  return { answer: told?.key === key ? told.answer : undefined, error, isBusy, again }
}
