// Signing in and out, passwords, and for whom the page acts.
import type { SessionTold } from '../../../schemas/portal/accounts.ts'
import { beginPageAt } from '../../shared/address.ts'
import { isAborted, passIfEnded } from '../../shared/api/call.ts'
import { isEnded } from '../../shared/api/renewal.ts'
import { PATHS } from '../shell/paths.ts'
import { ask } from './ask.ts'
import { actingId, begin, session } from './session.ts'

export type SignIn = { readonly email: string; readonly password: string; readonly code?: string }

/** Whoever has signed in already. Throws CallError, with status 401 for nobody. */
export async function readSession(): Promise<void> {
  try {
    begin(await ask<SessionTold>('/session', { isSignIn: true }))
  } catch (error) {
    if (isAborted(error) || actingId.value === undefined) throw error
    // The organization of the address is none of theirs.
    actingId.value = undefined
    begin(await ask<SessionTold>('/session', { isSignIn: true }))
  }
}

/** Other tabs may have ended the session, or begun one: asked when this tab is seen again. */
export async function recheckSession(): Promise<void> {
  if (session.value === undefined) return
  const told = await ask<SessionTold>('/session', { isSignIn: true }).catch(() => undefined)
  if (told === undefined) return
  if (told.person.id === session.value?.person.id) begin(told)
  else isEnded.value = true
}

/** Throws CallError. */
export async function signIn(given: SignIn): Promise<void> {
  const body = { ...given, cookie: true }
  const told = await ask<SessionTold>('/session', { body, isSignIn: true })
  // Somebody else than before has a page of their own.
  if (session.value !== undefined && session.value.person.id !== told.person.id) return begin(told)
  session.value = told
  // In which role they act for the organization of the address is told by the session alone.
  if (actingId.value === undefined || actingId.value === told.organization?.id) begin(told)
  else await readSession()
}

/** Begins a page without anything of this person. Throws CallError: the session goes on. */
export async function signOut(): Promise<void> {
  await ask('/session', { method: 'DELETE', isSignIn: true }).catch(passIfEnded)
  beginPageAt(PATHS.overview)
}

/** From now on this tab acts for it. Throws CallError. */
export async function actFor(organizationId: string): Promise<void> {
  const before = actingId.value
  actingId.value = organizationId
  try {
    begin(await ask<SessionTold>('/session'))
  } catch (error) {
    actingId.value = before
    throw error
  }
}
