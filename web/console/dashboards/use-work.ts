// Something that a button does: once at a time, and what went wrong is said beside it.
import { useState } from 'preact/hooks'
import { CallError } from '../../shared/api/call.ts'
import { asSentence } from '../../shared/tell-failure.ts'
import { TEXTS } from '../../shared/texts.ts'

export type Work = {
  readonly isBusy: boolean
  readonly error: string | undefined
  readonly run: (work: () => Promise<void>) => void
}

/** `onDone`: when it was done well. */
export function useWork(onDone: () => void): Work {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const run = (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    work()
      .then(onDone, (thrown: unknown) => setError(describeFailure(thrown)))
      .finally(() => setBusy(false))
  }
  return { isBusy, error, run }
}

export function describeFailure(thrown: unknown): string {
  if (!(thrown instanceof CallError))
    return thrown instanceof Error ? thrown.message : String(thrown)
  return thrown.status === 0 ? TEXTS.failure.unreachable : asSentence(thrown.message)
}
