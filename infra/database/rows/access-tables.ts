// Tables of signing in beyond a password, and of the audit log, for Kysely. No secret that opens
// anything is among them: `second_factors.secret` is encrypted (docs/decisions/0142).

type ApiTokenRow = {
  id: number
  user_id: number
  /** The user's own word for it. */
  name: string
  name_folded: string
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string
  last_four: string
  /** Null: whatever the user may do. */
  policy_id: number | null
  made_ms: number
  ends_ms: number
}

export type SecondFactorRow = {
  user_id: number
  /** Base32. */
  secret: string
  /** 0: begun, and no code has been shown for it yet. */
  is_confirmed: 0 | 1
  /** Step of the newest code that was used: neither it nor an older one counts again. */
  last_step: number
  /** JSON list of SHA-256, of codes that were not used. */
  recovery_hashes: string
  /** Wrong codes since `failures_from_ms`. */
  failures: number
  failures_from_ms: number
}

export type SessionRow = {
  /** SHA-256 of the cookie's value. */
  id_hash: string
  user_id: number
  /** `password`, `second factor` or `oidc`. */
  signed_in_by: string
  address: string
  made_ms: number
  used_ms: number
  ends_ms: number
}

/** Whom a provider means by a subject. */
type OidcIdentityRow = { user_id: number; issuer: string; subject: string }

export type AuditRow = {
  id: number
  at_ms: number
  /** Null when nobody was signed in. */
  user_id: number | null
  user_name: string
  address: string
  action: string
  target: string
  /** `done`, or the failure's code. */
  result: string
  /** JSON object without secrets. */
  details: string
  /** Hash of the entry before it, and of this one with that (docs/decisions/0111); null: of before
   *  the chain. */
  previous: string | null
  hash: string | null
}

/** Entries of the audit log from `first_id` to `last_id`, copied together (docs/decisions/0046). */
type AuditCopyRow = {
  /** 1, 2, 3 … */
  number: number
  first_id: number
  last_id: number
  begun_ms: number
  is_done: 0 | 1
}

export type AccessTables = {
  audit: AuditRow
  audit_copies: AuditCopyRow
  api_tokens: ApiTokenRow
  second_factors: SecondFactorRow
  sessions: SessionRow
  oidc_identities: OidcIdentityRow
}
