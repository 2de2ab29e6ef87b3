// Rows of archives (docs/decisions/0108), for Kysely.

export type ArchiveRow = {
  number: number
  /** Names its objects. */
  entry: string
  policy_id: number
  /** Name of the policy, for people. */
  policy: string
  /** From 1970, UTC. */
  day: number
  /** Of the address book; '' for a folder. */
  account: string
  /** Folder, or prefix in the bucket of the account. */
  directory: string
  /** asked, writing, done, removing: see infra/metastore/archive/archives.ts. */
  state: string
  /** 1: another product wrote it. */
  is_foreign: number
  events: number
  bytes: number
  /** Digest of the places of its events. */
  places: string
  /** SHA-256 of the manifest, hexadecimal. */
  checksum: string
  /** JSON: events, bytes and times by log. */
  logs: string
  asked_by: string
  asked_ms: number
  written_ms: number | null
  /** When the day was removed from the store. */
  dropped_ms: number | null
  check_asked_ms: number | null
  verified_ms: number | null
  /** When the last try began that failed. */
  tried_ms: number | null
  /** What the last try or check said; '' for none. */
  fault: string
  /** The last deletion that came before it was `writing`; null in every other state. */
  last_deletion: number | null
}

export type ThawRow = {
  number: number
  archive: number
  /** asked, loading, thawed, ending. */
  state: string
  events: number
  until_ms: number
  asked_by: string
  asked_ms: number
  fault: string
}

export type ArchiveTables = {
  archives: ArchiveRow
  thaws: ThawRow
}
