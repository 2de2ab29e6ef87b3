// Who sits in front of the page.
import { signal } from '@preact/signals'
import type { SessionTold } from '../../../schemas/public-calls/session.ts'
import { endWaiting } from './renewal.ts'

/** undefined: nobody has signed in. */
export const session = signal<SessionTold | undefined>(undefined)

export const SESSION_PATH = '/logeye/session'

export function begin(told: SessionTold): void {
  const { value: before } = session
  // What stands on the page and waits is of somebody else.
  if (before !== undefined && before.user !== told.user) {
    location.reload()
    return
  }
  session.value = told
  endWaiting()
}
