// Rows of what ends the life of events, and of what keeps it from that (docs/decisions/0084), for
// Kysely.
import type { ArchiveTables } from './archive-rows.ts'

/** A unit (policy, day of receipt) that is taken out of the store. */
export type UnitRemovalRow = {
  number: number
  /** Name of its entries in the store's table `gone`. */
  entry: string
  policy_id: number
  /** From 1970, UTC. */
  day: number
  /** age, size. */
  cause: string
  /** open: its entry may be written, its rows may be there or not; done. */
  state: string
  events: number
  bytes: number
  begun_ms: number
  ended_ms: number | null
}

export type LegalHoldRow = {
  number: number
  /** log, folder, policy. */
  kind: string
  /** Path or name, for people. */
  target: string
  /** Id of the log, folder or policy. */
  target_id: number
  /** Times of events: from (with it) and to (without it); null: no end. */
  from_ms: number | null
  to_ms: number | null
  reason: string
  made_by: string
  made_ms: number
}

/** Since when the limits of a policy are in force. Without a row they were given to a version that
 *  removed nothing. */
export type PolicyRetentionRow = { policy_id: number; since_ms: number }

/** Events that are deleted (docs/decisions/0085). */
export type DeletionRow = {
  number: number
  /** Name of its entries in the store's table `gone`. */
  entry: string
  /** hidden, entered, removed, done: see infra/metastore/retention/deletions.ts. */
  state: string
  log_id: number
  /** Its path, for people. */
  log: string
  /** SQL over the table `events`, with values written out. */
  condition: string
  /** JSON: below which place of each partition of the event log; '' until it is known. */
  bounds: string
  /** JSON: which units become smaller; '' until it is known. */
  units: string
  events: number
  bytes: number
  asked_by: string
  asked_ms: number
  ended_ms: number | null
}

/** What the warning address of a policy is to know, or was told (docs/decisions/0110). */
export type StorageWarningRow = {
  policy_id: number
  /** nearly-full, full, archive, disk. */
  kind: string
  since_ms: number
  tried_ms: number | null
  told_ms: number | null
}

export type RetentionTables = ArchiveTables & {
  storage_warnings: StorageWarningRow
  deletions: DeletionRow
  policy_retentions: PolicyRetentionRow
  unit_removals: UnitRemovalRow
  legal_holds: LegalHoldRow
}
