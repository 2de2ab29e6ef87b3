// Something that a button does: once at a time, and what went wrong is said beside it.
import { useState } from 'preact/hooks'
import { CallError } from './api/call.ts'
import { asSentence } from './tell-failure.ts'
import { TEXTS } from './texts.ts'

export type Act = {
  readonly isBusy: boolean
  readonly error: string | undefined
  readonly run: (work: () => Promise<void>) => void
}

/** `onDone` also runs when a part of the work was done before it failed. */
export function useAct(onDone: () => void): Act {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const run = (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    work()
      .catch((thrown: unknown) => setError(describeError(thrown)))
      .finally(() => {
        setBusy(false)
        onDone()
      })
  }
  return { isBusy, error, run }
}

export function describeError(thrown: unknown): string {
  if (!(thrown instanceof CallError)) return String(thrown)
  return thrown.status === 0 ? TEXTS.failure.unreachable : asSentence(thrown.message)
}
