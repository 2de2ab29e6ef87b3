// Rows of tamper evidence (docs/decisions/0111), for Kysely.

/** Ends of chains, changed in the transaction that adds to the chain. `audit-begin`: entries up to
 *  there were written before there was a chain. */
type ChainHeadRow = { name: 'audit' | 'audit-begin' | 'evidence'; number: number; hash: string }

export type EvidenceRow = {
  /** 1, 2, 3 … */
  number: number
  at_ms: number
  kind: string
  /** JSON (infra/evidence/entry-contents.ts). */
  content: string
  previous: string
  hash: string
  /** Base64, of the number and the hash; null: not signed yet. */
  signature: string | null
}

/** One row, 1. */
type EvidenceKeyRow = {
  number: number
  /** Base64 of its 32 bytes. */
  public_key: string
  /** JSON of the encrypted private key. */
  sealed: string
  made_ms: number
}

/** What was last sent away, by target. */
type EvidenceHeadRow = {
  target: string
  /** Of the entry; 0: none was taken. */
  number: number
  /** Of the last attempt. */
  at_ms: number
  /** ''; or why the last attempt failed. */
  failure: string
}

export type EvidenceTables = {
  chain_heads: ChainHeadRow
  evidence: EvidenceRow
  evidence_keys: EvidenceKeyRow
  evidence_heads: EvidenceHeadRow
}
