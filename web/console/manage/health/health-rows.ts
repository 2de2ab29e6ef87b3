// The rows of the searches that the health page makes. Pure.
import type { TableAnswer } from '../../../../schemas/search-json/answers.ts'

/** By the time at which they were received; `time` as the system prints it. */
export type Minute = { readonly time: string; readonly events: number }

export type SlowSearch = {
  readonly query: string
  readonly user: string
  readonly ms: number
  readonly times: number
}

type Table = Pick<TableAnswer, 'columns' | 'rows'>

/** The last one goes on still. */
export function readMinutes(table: Table): readonly Minute[] {
  const read = reader(table)
  return table.rows
    .slice(0, -1)
    .map((row) => ({ time: read(row, 'time'), events: Number(read(row, 'events')) }))
}

export function readSearches(table: Table): readonly SlowSearch[] {
  const read = reader(table)
  return table.rows.map((row) => ({
    ...{ query: read(row, 'details.query'), user: read(row, 'user') },
    ms: Number(read(row, 'max details.durationMs')),
    times: Number(read(row, 'count')),
  }))
}

function reader({ columns }: Table) {
  return (row: Table['rows'][number], column: string) => row[columns.indexOf(column)] ?? ''
}
