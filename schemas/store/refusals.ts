// Limits that a search's SQL holds by throwing (`throwIf` with a code): the compiler writes the codes, infra/store reads them.
// They are codes that the engine has names for, since the client reads no other, and that no setting of ours lets it raise itself.

export const REFUSALS = {
  groups: { code: 158, limit: 100_000 },
  buckets: { code: 290, limit: 50_000 },
  subQueryValues: { code: 191, limit: 10_000 },
  transposedColumns: { code: 161, limit: 1000 },
  /** Never shown: the search is run with another statement (CompiledTable.quick). */
  severalSpellings: { code: 395, limit: 0 },
} as const

export type Refusal = keyof typeof REFUSALS
