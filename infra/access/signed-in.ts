// Whoever calls, and by what that was shown.
import type { UserRecord } from '../../schemas/users.ts'

export type SignedInBy =
  /** Security is off. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'parameters' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'token'; readonly name: string }
  | { readonly kind: 'session'; readonly secret: string; readonly madeMs: number }

export type SignedIn = {
  /** With the rights that this way of signing in leaves. */
  readonly user: UserRecord
  /** Client address, for the audit log. */
  readonly address: string
  readonly by: SignedInBy
}
