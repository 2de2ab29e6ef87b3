// Tables of monitors, their runs and alerts, and of what is told of these, for Kysely.
export type MonitorRow = {
  id: number
  name: string
  name_folded: string
  /** With whose rights it runs; 0 for nobody, while security is off. */
  owner_id: number
  /** JSON of schemas/monitors/monitor.ts. */
  settings: string
  is_enabled: 0 | 1
  version: number
  changed_ms: number
  /** From when it counts: made, or enabled again. */
  since_ms: number
  /** The newest due time that was begun; since_ms: none. */
  last_due_ms: number
  /** JSON: what had arrived when the last run was read; null: nothing was read since since_ms. */
  mark: string | null
  /** JSON of query/monitors/evaluate/step-alerts.ts. */
  groups: string
  /** `new`, `passed`, `failed`, `error`. */
  status: string
  /** Of an error. */
  reason: string
  status_ms: number
  /** 0: not muted. */
  muted_until_ms: number
}

/** One for each due time, whoever runs it. */
export type MonitorRunRow = {
  monitor_id: number
  due_ms: number
  begun_ms: number
  /** JSON: the events between the two are read; null: from since_ms on. */
  mark_from: string | null
  mark_to: string
  /** Null: begun. */
  ended_ms: number | null
  /** `begun`, `passed`, `failed`, `error`. */
  state: string
  reason: string
  failing: number
  opened: number
  closed: number
  skipped: number
  skipped_from_ms: number
}

export type AlertRow = {
  id: number
  monitor_id: number
  monitor_name: string
  /** '' where the monitor has no groups. */
  group_key: string
  severity: string
  /** Due time of the run that opened it. */
  opened_ms: number
  /** Due time of the last run in which it failed. */
  last_ms: number
  closed_ms: number | null
  count: number
  /** JSON: columns, rows. */
  sample: string
  /** JSON of schemas/monitors/seen.ts, of the sample, group and count; null: it was opened before
   *  this was stored. */
  seen: string | null
  query: string
  /** '': it was opened before rules were kept. */
  rule: string
  /** JSON: the window that opens it in a search. */
  time_window: string
  acknowledged_by: string | null
  acknowledged_ms: number | null
  muted_until_ms: number
  /** Steps of the monitor's escalation that were told. */
  escalated: number
}

/** What is told to one target. */
export type AlertMessageRow = {
  id: number
  alert_id: number
  monitor_id: number
  event: string
  /** Account of the address book. */
  target_id: number
  target_name: string
  /** JSON of schemas/monitors/notice.ts. */
  notice: string
  made_ms: number
  /** `pending`, `delivered`, `failed`; of a target with a digest `gathered`, then `told together`:
   *  what became of it says the message of the digest. */
  state: string
  tries: number
  /** When it is tried next; while it is tried, when the claim ends. Null: never. */
  next_ms: number | null
  /** The message in which it was told together with others. */
  digest_id: number | null
}

/** Recorded before it is made; `ended_ms` null: nobody knows what came of it. */
type AlertAttemptRow = {
  message_id: number
  number: number
  at_ms: number
  ended_ms: number | null
  status: number | null
  /** Null: it was taken, or is not known. */
  failure: string | null
}

export type MaintenanceWindowRow = {
  id: number
  name: string
  name_folded: string
  /** JSON of schemas/monitors/maintenance.ts. */
  settings: string
  is_enabled: 0 | 1
  changed_ms: number
}

/** Of a monitor that tells of new kinds of events. */
type MonitorMemoryRow = {
  monitor_id: number
  /** A hash of what it asked: of another question nothing is known. */
  asked: string
  /** From when on it has seen all. */
  since_ms: number
}

type MonitorKindRow = {
  monitor_id: number
  /** A hash. */
  kind: string
  first_ms: number
  last_ms: number
  /** Events of its first day. */
  young: number
  /** What it had to reach when it was told; 0: it was not told. */
  told: number
}

export type MonitorTables = {
  monitor_memories: MonitorMemoryRow
  monitor_kinds: MonitorKindRow
  monitors: MonitorRow
  monitor_runs: MonitorRunRow
  alerts: AlertRow
  alert_messages: AlertMessageRow
  alert_attempts: AlertAttemptRow
  maintenance_windows: MaintenanceWindowRow
}
