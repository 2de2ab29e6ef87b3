// Who has signed in, and for which organization the page acts: the `for` of the address, else the
// one of the session. Each tab has its own.
import { signal } from '@preact/signals'
import type { SessionTold } from '../../../schemas/portal/accounts.ts'
import type { PersonRole } from '../../../schemas/portal/roles.ts'
import { endWaiting } from '../../shared/api/renewal.ts'

export const session = signal<SessionTold | undefined>(undefined)
/** Sent with every call; undefined: that of the session. */
export const actingId = signal<string | undefined>(
  new URLSearchParams(location.search).get('for') ?? undefined,
)

export function begin(told: SessionTold): void {
  const { value: before } = session
  // What stands on the page and waits is of somebody else.
  if (before !== undefined && before.person.id !== told.person.id) {
    location.reload()
    return
  }
  session.value = told
  endWaiting()
}

export function hasRole(...roles: readonly PersonRole[]): boolean {
  const role = session.value?.role
  return role !== undefined && role !== null && roles.includes(role)
}

/** Who acts for no customer but for the vendor itself. */
export function isVendor(): boolean {
  return session.value?.organization?.kind === 'vendor'
}

/** Those who sell. */
export function isSeller(): boolean {
  return hasRole('sales', 'channel', 'operator')
}
