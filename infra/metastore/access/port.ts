// Ways to sign in other than a password, from memory (docs/decisions/0045).

export type ApiTokenRecord = {
  readonly userId: number
  readonly name: string
  /** Null: whatever the user may do. */
  readonly policyId: number | null
  readonly endsMs: number
}

export interface Access {
  readonly access: {
    /** By the SHA-256 of the token. Current as of this call; from memory while the database is
     *  away. Also one that has ended. */
    findToken(hash: string): Promise<ApiTokenRecord | undefined>
    /** What a policy allows, as it is written; of one that is no more, nothing. */
    operationsOfPolicy(policyId: number): readonly string[]
    /** As of the last look at the database (at most 1 s old). */
    hasSecondFactor(userId: number): boolean
  }
}
