// The rows of the searches that the health page makes. Pure.
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import type { TableAnswer } from '../../../../schemas/search-json/answers.ts'

/** Of events, by the time of receipt; `time` as the system prints it. */
export type Quarter = { readonly time: string; readonly events: number; readonly bytes: number }

export type SlowSearch = {
  readonly query: string
  readonly user: string
  readonly ms: number
  readonly times: number
}

type Table = Pick<TableAnswer, 'columns' | 'rows'>

export function readQuarters(table: Table): readonly Quarter[] {
  const read = reader(table)
  return table.rows.map((row) => ({
    ...{ time: read(row, 'time'), events: Number(read(row, 'events')) },
    bytes: Number(read(row, 'volume')),
  }))
}

export function readSearches(table: Table): readonly SlowSearch[] {
  const read = reader(table)
  return table.rows.map((row) => ({
    ...{ query: read(row, 'details.query'), user: read(row, 'user') },
    ms: Number(read(row, 'max details.durationMs')),
    times: Number(read(row, 'count')),
  }))
}

type Counted = Pick<SdkAnswer<'systemState'>, 'asOf' | 'node' | 'events'>

/** Events received a second; undefined: processes started anew in between, or another machine
 *  answered. */
export function rateBetween(before: Counted, now: Counted): number | undefined {
  const seconds = (Date.parse(now.asOf) - Date.parse(before.asOf)) / 1000
  const events = now.events.received - before.events.received
  if (now.node !== before.node || events < 0 || seconds <= 0) return undefined
  return events / seconds
}

function reader({ columns }: Table) {
  return (row: Table['rows'][number], column: string) => row[columns.indexOf(column)] ?? ''
}
