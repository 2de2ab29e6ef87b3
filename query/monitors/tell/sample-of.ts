import type { AlertSample } from '../../../schemas/monitors/notice.ts'

const MAX_ROWS = 10
/** More than a message that people read should have. */
const MAX_COLUMNS = 12

/** The rows of one group, a few; of a group whose column the rows do not show, none. */
export function sampleOf(sample: AlertSample, groupBy: string, group: string): AlertSample {
  const at = sample.columns.findIndex((name) => name.toLowerCase() === groupBy.toLowerCase())
  const places = [...sample.rows.keys()]
  const own = groupBy === '' ? places : places.filter((row) => sample.rows[row]?.[at] === group)
  const { columns, rows, ...times } = chooseRows(sample, own.slice(0, MAX_ROWS))
  return {
    columns: columns.slice(0, MAX_COLUMNS),
    rows: rows.map((row) => row.slice(0, MAX_COLUMNS)),
    ...times,
  }
}

/** The rows at these places. */
export function chooseRows(
  { columns, rows, times }: AlertSample,
  places: readonly number[],
): AlertSample {
  const chosen = { columns, rows: places.map((at) => rows[at] ?? []) }
  return times === undefined ? chosen : { ...chosen, times: places.map((at) => times[at] ?? '') }
}
