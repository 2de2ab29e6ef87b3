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
