// Tables of silent logs (docs/decisions/0098).

/** A silence that was told: from the end of the last quarter of an hour with an event. */
export type SilenceRow = {
  log_id: number
  since_ms: number
  told_ms: number
  /** Begin of the first quarter with an event after it; null while it goes on. */
  ended_ms: number | null
}

export type ExpectedSilenceRow = {
  id: number
  /** JSON: levels of a folder, or of a log with its name last; [] is everything. */
  path: string
  from_ms: number
  /** Null: until it is removed. */
  to_ms: number | null
  reason: string
  made_by: string
  made_ms: number
}

export type SilenceTables = { silences: SilenceRow; expected_silences: ExpectedSilenceRow }
