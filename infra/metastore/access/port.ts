// Ways to sign in other than a password (docs/decisions/0045).
import type { UserRecord } from '../../../schemas/users.ts'
import type { SecretKeys } from '../../secrets/secret-keys.ts'
import type { SessionRecord } from './sessions.ts'

export type ApiTokenRecord = {
  readonly userId: number
  readonly name: string
  /** Null: whatever the user may do. */
  readonly policyId: number | null
  readonly endsMs: number
}

export type PolicyGrants = {
  readonly operations: readonly string[]
  readonly masks: readonly string[]
}

export interface Access {
  readonly access: {
    /** By the SHA-256 of the token. Current as of this call; from memory while the database is
     *  away. Also one that has ended. */
    findToken(hash: string): Promise<ApiTokenRecord | undefined>
    /** Current as findToken is. */
    userById(id: number): Promise<UserRecord | undefined>
    /** What a policy allows, as it is written, and hides; undefined: it is no more. */
    policyById(policyId: number): PolicyGrants | undefined
    /** As of the last look at the database (at most 1 s old). */
    hasSecondFactor(userId: number): boolean
    /** A code is right once. Without the key of its secret only recovery codes are right. Fails
     *  with database.unavailable. */
    useCode(userId: number, code: string, keys: SecretKeys): Promise<'right' | 'wrong' | 'slowed'>
    /** By the SHA-256 of the cookie; only one that has not ended, and it is used by this. Fails
     *  with database.unavailable. */
    findSession(idHash: string): Promise<SessionRecord | undefined>
    /** Whether nobody has ended it; it is not used by this. Fails with database.unavailable. */
    hasSession(idHash: string): Promise<boolean>
    /** User names and addresses of the sessions that have not ended, oldest first. Fails with
     *  database.unavailable. */
    recentSignIns(): Promise<readonly { readonly name: string; readonly address: string }[]>
  }
}
