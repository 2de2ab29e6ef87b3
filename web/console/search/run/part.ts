// A part of a page that is read on its own: what came last stays in view until the next is there,
// and beside a failure, too.
import { type ReadonlySignal, signal } from '@preact/signals'
import { CallError, isAborted } from '../../../shared/api/call.ts'

export type Read<Value> = {
  /** With an error: of what was read before it. */
  readonly value: Value | undefined
  readonly isBusy: boolean
  readonly error: CallError | undefined
}

export type Part<Value> = {
  readonly state: ReadonlySignal<Read<Value>>
  /** Resolves when it is read or has failed, with what it read. An abort leaves it as it is. */
  fill(read: Promise<Value>): Promise<Value | undefined>
  set(value?: Value): void
  stop(): void
}

export function openPart<Value>(): Part<Value> {
  const state = signal<Read<Value>>({ value: undefined, isBusy: false, error: undefined })
  let turn = 0
  return {
    state,
    fill: async (read) => {
      turn += 1
      const own = turn
      state.value = { ...state.value, isBusy: true }
      try {
        const value = await read
        if (own === turn) state.value = { value, isBusy: false, error: undefined }
        return value
      } catch (error) {
        if (own !== turn || isAborted(error)) return undefined
        const failure = error instanceof CallError ? error : new CallError(String(error), {})
        state.value = { ...state.value, isBusy: false, error: failure }
        return undefined
      }
    },
    set: (value) => {
      turn += 1
      state.value = { value, isBusy: false, error: undefined }
    },
    stop: () => {
      turn += 1
      state.value = { ...state.value, isBusy: false }
    },
  }
}
