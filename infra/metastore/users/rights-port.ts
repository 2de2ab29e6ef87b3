// Who may do and see what, from memory (decisions 1.7, 4.9, 7.1). The metastore implements it beside its main port.
import type { UserRecord } from '../../../schemas/users.ts'

export interface Rights {
  readonly users: {
    /** Letter case of the name does not count. Current as of this call; from memory while the database is away. Also disabled users. */
    find(name: string): Promise<UserRecord | undefined>
    /** As of the last look at the database (at most 1 s old). */
    byId(id: number): UserRecord | undefined
  }
  /** False: everybody acts as ANONYMOUS_USER (decision 1.7). */
  isSecurityOn(): boolean
  /**
   * Logs that the user may view; 'all' for administrators. An unknown or disabled user sees none. Current as of this call;
   * the same set object until something changes. `ANONYMOUS_USER.id` sees all while security is off, else none.
   */
  visibleLogs(userId: number): Promise<'all' | ReadonlySet<number>>
}

export type AuditEntry = {
  /** Null: nobody was signed in. */
  readonly userId: number | null
  readonly userName: string
  /** Client address. */
  readonly address: string
  /** `sdk.addListener`, `search`, `sign-in` … */
  readonly action: string
  /** Name of what was acted on; '' for none. */
  readonly target: string
  /** `done`, or the failure's code. */
  readonly result: string
  /** Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

export interface Audit {
  /** Durable when it resolves; entries of one moment share a transaction. Fails with database.unavailable. */
  audit(entry: AuditEntry): Promise<void>
}
