// The row of a task: what collects later, by a schedule.
export type TaskRow = {
  id: number
  /** A kind of schemas/task.ts. */
  kind: string
  name: string
  name_folded: string
  description: string
  /** JSON of the settings of its kind. */
  settings: string
  is_enabled: 0 | 1
  changed_ms: number
}

/** Written once, never changed: events of files name the version that they met. */
type CollectSourceRow = {
  log_id: number
  version: number
  /** JSON of collectSourceSchema. */
  settings: string
  /** Its events meet the templates as of this number; 0: before the first. */
  templates: number
  made_ms: number
}

export type CollectedFileRow = {
  id: number
  log_id: number
  path: string
  /** `<device>:<inode>`. */
  place: string
  /** Bytes that are read; of a packed file those that are in it. */
  position: number
  head_bytes: number
  /** SHA-256 of its first `head_bytes`, hexadecimal. */
  head_hash: string
  tail_bytes: number
  /** Of the last `tail_bytes` before the position. */
  tail_hash: string
  /** Hashes of what stands before 64, 128, 256, … bytes, 12 characters each. */
  marks: string
  /** Its position counts the bytes that are packed in it. */
  is_packed: 0 | 1
  state: 'open' | 'done' | 'skipped'
  /** Why it is not read on; '' for nothing. */
  fault: string
  /** JSON of what may be on its way to the event log; null for nothing. */
  pending: string | null
  size: number
  events: number
  changed_ms: number
}

type TaskRunRow = {
  id: number
  task_id: number
  cause: string
  /** A state of infra/metastore/tasks/task-runs.ts. */
  state: string
  asked_ms: number
  begun_ms: number | null
  ended_ms: number | null
  /** JSON. */
  counts: string
  reason: string
}

export type ForwardPositionRow = {
  policy_id: number
  partition: number
  offset: number
  /** Index among the events of the block. */
  event: number
  received_ms: number
  /** Null: nothing is on its way. */
  to_offset: number | null
  to_event: number | null
}

/** Of a policy that sends its events on. */
export type ForwardStartRow = {
  policy_id: number
  since_ms: number
}

type SyncedFileRow = {
  task_id: number
  /** In the repository. */
  place: string
  /** Of the file when it was copied. */
  size: number
  changed_ms: number
  algorithm: string
  /** Of the copy, hexadecimal. */
  checksum: string
  checked_ms: number
}

type CollectFaultRow = {
  log_id: number
  fault: string
  since_ms: number
}

/** Of a source that is no file. */
export type CollectMarkRow = {
  log_id: number
  /** Of the log's sources. */
  place: string
  /** How far it is copied, in the form of its kind; '' for nothing yet. */
  mark: string
  /** That were sent; the next one has this number. */
  pieces: number
  /** JSON of what may be on its way to the event log; null for nothing. */
  pending: string | null
  events: number
  changed_ms: number
  /** Of the task's question that the mark answers; 0 of what is no task. */
  generation: number
}

export type CollectTables = {
  collect_marks: CollectMarkRow
  forward_positions: ForwardPositionRow
  forward_starts: ForwardStartRow
  synced_files: SyncedFileRow
  /** Logs whose files cannot be read now. */
  collect_faults: CollectFaultRow
  task_runs: TaskRunRow
  collect_sources: CollectSourceRow
  collected_files: CollectedFileRow
}
