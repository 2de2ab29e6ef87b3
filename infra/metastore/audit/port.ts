// The audit log as others see it (decisions 7.3, 8.3).

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
  /** Durable when it resolves; entries of one moment share a transaction. Fails with
   *  database.unavailable. */
  audit(entry: AuditEntry): Promise<void>
}
