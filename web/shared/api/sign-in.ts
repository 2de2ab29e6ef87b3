// Signing in and out, by the calls of docs/guides/sign-in.md.
import type {
  NextSessionTold,
  SessionTold,
  SignInWays,
} from '../../../schemas/public-calls/session.ts'
import { BASE, beginPageAt } from '../address.ts'
import { call, passIfEnded } from './call.ts'
import { isEnded } from './renewal.ts'
import { begin, SESSION_PATH as PATH, session } from './session.ts'

export async function readWays(): Promise<SignInWays> {
  return await call(`${PATH}/ways`)
}

/** Whoever has signed in already. Throws CallError, with status 401 for nobody. */
export async function readSession(): Promise<void> {
  begin(await call<SessionTold>(PATH, { isSignIn: true }))
}

/** Other tabs may have ended the session, or begun one: asked when this tab is seen again. */
export async function recheckSession(): Promise<void> {
  if (session.value === undefined) return
  const told = await call<SessionTold>(PATH, { isSignIn: true }).catch(() => undefined)
  if (told === undefined) return
  if (told.user === session.value?.user) begin(told)
  else isEnded.value = true
}

export type SignIn = { readonly user: string; readonly password: string; readonly code?: string }

/** Throws CallError. */
export async function signIn(given: SignIn): Promise<void> {
  begin(await call<SessionTold>(PATH, { body: given, isSignIn: true }))
}

/** Begins a page without anything of this user. Throws CallError: the session goes on. */
export async function signOut(): Promise<void> {
  await call(PATH, { method: 'DELETE', isSignIn: true }).catch(passIfEnded)
  beginPageAt(`${BASE}/`)
}

const NEXT_PATH = `${PATH}/next`

/** Who signed in by a link while this session was in force. Throws CallError, with status 404 for
 *  nobody. */
export async function readNextSession(): Promise<NextSessionTold> {
  return await call(NEXT_PATH, { isSignIn: true })
}

/** Ends this session, and begins a page at the path as that user. Throws CallError. */
export async function takeNextSession(path: string): Promise<void> {
  await call(NEXT_PATH, { method: 'POST', isSignIn: true })
  beginPageAt(path)
}

export async function forgetNextSession(): Promise<void> {
  await call(NEXT_PATH, { method: 'DELETE', isSignIn: true })
}
