// Who sits in front of the page.
import { signal } from '@preact/signals'
import type { SessionTold } from '../../../schemas/public-calls/session.ts'
import { endWaiting } from './renewal.ts'

/** undefined: nobody has signed in. */
export const session = signal<SessionTold | undefined>(undefined)

export function begin(told: SessionTold): void {
  session.value = told
  endWaiting()
}
