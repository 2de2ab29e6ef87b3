// All rows of a saved search as CSV (RFC 4180), as large as an attachment may be.
import type { Reader } from '../../infra/metastore/rights/port.ts'
import { spreadsheetCell } from '../../schemas/public-calls/spreadsheet-cell.ts'
import type { KeptSearch } from '../../schemas/search-json/kept-search.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { WidgetDeps } from '../dashboards/run-widget.ts'
import { readStyle } from '../edge/read-style.ts'
import { compileWithColumns } from '../language/compile-with-columns.ts'
import { readOnce } from '../language/read-query.ts'
import { collect } from '../search/collect.ts'
import { toCsv } from '../search/print/csv.ts'
import { readEventRow } from '../search/print/event-row-reader.ts'
import { EventTable } from '../search/print/event-table.ts'
import { SummaryTable } from '../search/print/summary-table.ts'
import type { Turn } from '../search/run-in-turn.ts'
import { readVisibleScope } from '../search/visible-scope.ts'
import { filterInput } from '../search-json/filter-input.ts'
import { readWindow } from '../search-json/read-window.ts'
import { workInTurn } from '../search-json/work-in-turn.ts'

export type SearchCsv = {
  /** Undefined: it is larger. */
  readonly csv: Uint8Array | undefined
  readonly window: TimeWindow
}

/** Fails as a search does. */
export async function readSearchCsv(
  asked: {
    readonly search: KeptSearch
    readonly reader: Reader
    readonly nowMs: number
    readonly maxBytes: number
  },
  turn: Turn,
  deps: WidgetDeps,
): Promise<SearchCsv> {
  const { search, reader, nowMs, maxBytes } = asked
  const scope = await readVisibleScope(deps.metastore, reader)
  const style = readStyle(deps.metastore, search.timeZone || undefined)
  const { time } = search
  const given = 'interval' in time ? time : { start: time.start, end: time.end }
  const window = readWindow(given, { nowMs, ...style })
  const input = {
    ...readOnce(filterInput(search.query, { window, nowMs }, scope, style)),
    maxRows: null,
  }
  const csv = await workInTurn(turn, deps, async (store) => {
    const compiled = await compileWithColumns(input, async (statement) => {
      const names = await collect(store.stream(statement))
      return names.map(([name]) => ({ name: String(name) }))
    })
    const table =
      compiled.kind === 'events'
        ? new EventTable(compiled, scope.names, style)
        : new SummaryTable(compiled.columns, style)
    // Leaving the loop early closes the query.
    for await (const rows of store.stream(compiled))
      for (const row of rows) {
        if (table instanceof EventTable) table.add(readEventRow(row))
        else table.add(row)
        if (table.textLength > maxBytes) return undefined
      }
    const bytes = Buffer.from(toCsv(table.finish(), maxBytes, spreadsheetCell), 'utf8')
    return bytes.byteLength > maxBytes ? undefined : bytes
  })
  return { csv, window }
}
