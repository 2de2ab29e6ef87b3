// Rows of a compiled search as texts, no more than were asked for, and each cell cut: alerts are
// read by people.

import { Failure } from '../../schemas/failures.ts'
import type { AlertSample } from '../../schemas/monitors/notice.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import { readEventRow } from '../search/print/event-row-reader.ts'
import { EventTable } from '../search/print/event-table.ts'
import { SummaryTable } from '../search/print/summary-table.ts'
import type { VisibleScope } from '../search/visible-scope.ts'
import type { TurnStore } from '../search-json/endpoint.ts'
import { printNanos } from '../search-json/print-time.ts'

const MAX_CELL_CHARACTERS = 1000
/** UTF-16 units of all cells that are held at once. */
const MAX_LENGTH = 16 * 1024 * 1024

/** Fails with monitor.too_much. */
export async function readCells(
  {
    scope,
    style,
    maxRows,
  }: { readonly scope: VisibleScope; readonly style: CellStyle; readonly maxRows: number },
  compiled: CompiledSearch,
  store: TurnStore,
): Promise<AlertSample> {
  const table =
    compiled.kind === 'events'
      ? new EventTable(compiled, scope.names, style)
      : new SummaryTable(compiled.columns, style)
  const times: string[] = []
  read: for await (const batch of store.stream(compiled))
    for (const row of batch) {
      if (table instanceof EventTable) {
        const event = readEventRow(row)
        table.add(event)
        times.push(printNanos(event.timestampNs))
      } else table.add(row)
      if (table.textLength > MAX_LENGTH)
        throw new Failure('monitor.too_much', { max: MAX_LENGTH, what: 'characters' })
      if (table.rowCount === maxRows) break read
    }
  const { columns, rows } = table.finish()
  const cells = rows.map((row) => columns.map((_, at) => cut(row[at] ?? '')))
  return { columns, rows: cells, ...(compiled.kind === 'events' ? { times } : {}) }
}

function cut(cell: string): string {
  const clean = cell.replaceAll('\0', '\ufffd')
  return clean.length <= MAX_CELL_CHARACTERS
    ? clean
    : `${[...clean.slice(0, MAX_CELL_CHARACTERS)].join('')}…`
}
