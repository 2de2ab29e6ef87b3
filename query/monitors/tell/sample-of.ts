import type { AlertSample } from '../../../schemas/monitors/notice.ts'

const MAX_ROWS = 10
/** More than a message that people read should have. */
const MAX_COLUMNS = 12

/** The rows of one group, a few; of a group whose column the rows do not show, none. */
export function sampleOf(sample: AlertSample, groupBy: string, group: string): AlertSample {
  const at = sample.columns.findIndex((name) => name.toLowerCase() === groupBy.toLowerCase())
  const rows = groupBy === '' ? sample.rows : sample.rows.filter((row) => row[at] === group)
  return {
    columns: sample.columns.slice(0, MAX_COLUMNS),
    rows: rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS)),
  }
}
