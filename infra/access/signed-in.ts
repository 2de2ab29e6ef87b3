// Whoever calls, and by what that was shown.

import type { UserRecord } from '../../schemas/users.ts'
import type { SessionRecord } from '../metastore/access/sessions.ts'

export type SignedInBy =
  /** Security is off. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'parameters' }
  | { readonly kind: 'basic' }
  /** `hash`: its SHA-256. */
  | { readonly kind: 'token'; readonly name: string; readonly hash: string }
  | { readonly kind: 'session'; readonly secret: string; readonly session: SessionRecord }
  /** To begin a session. */
  | { readonly kind: 'password' }
  | { readonly kind: 'second factor' }
  | { readonly kind: 'oidc' }

export type SignedInSession = Extract<SignedInBy, { readonly kind: 'session' }>

export type SignedIn = {
  /** With the rights that this way of signing in leaves. */
  readonly user: UserRecord
  /** Client address, for the audit log. */
  readonly address: string
  readonly by: SignedInBy
}
