// Tables of reports, their runs and the mails of these, for Kysely.
export type ReportRow = {
  id: number
  name: string
  name_folded: string
  /** With whose rights it is made; 0 for nobody, while security is off. */
  owner_id: number
  /** JSON of schemas/reports/report.ts. */
  settings: string
  is_enabled: 0 | 1
  version: number
  changed_ms: number
  /** The newest due time that was begun, or since when it counts. */
  last_due_ms: number
}

/** One for each due time, whoever sends it. */
export type ReportRunRow = {
  report_id: number
  due_ms: number
  begun_ms: number
  /** Null: begun. */
  ended_ms: number | null
  /** `begun`, `sent`, `failed`. */
  state: string
  reason: string
  /** Of the attachment; null: none. */
  bytes: number | null
  skipped: number
}

/** A mail of a run to one target. */
export type ReportDeliveryRow = {
  report_id: number
  due_ms: number
  /** Account of the address book. */
  target_id: number
  target_name: string
  /** `pending`, `delivered`, `failed`. */
  state: string
  tries: number
  /** When it is tried next; while it is tried, when the claim ends. Null: never. */
  next_ms: number | null
  /** Of the last try; '': it was taken, or nobody knows. */
  failure: string
}

export type ReportTables = {
  reports: ReportRow
  report_runs: ReportRunRow
  report_deliveries: ReportDeliveryRow
}
