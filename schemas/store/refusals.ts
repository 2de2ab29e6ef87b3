// Limits that a search's SQL holds by throwing (`throwIf` with a code): the compiler writes the
// codes, infra/store reads them. They are codes that the engine has names for, since the client
// reads no other, and that no setting here lets it raise itself.

export const REFUSALS = {
  groups: { code: 158, limit: 100_000 },
  buckets: { code: 290, limit: 50_000 },
  subQueryValues: { code: 191, limit: 10_000 },
  transposedColumns: { code: 161, limit: 1000 },
} as const

/** Thrown by a statement that takes equal keys to be spelled alike where they are not; the caller
 *  has another one. */
export const SEVERAL_SPELLINGS_CODE = 307

export type Refusal = keyof typeof REFUSALS
