// A widget's query becomes rows: variables, time frame and sources go into a search of its viewer,
// in his turn and within his rights (docs/decisions/0073).
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import type { Reader } from '../../infra/metastore/rights/port.ts'
import type { ResultColumn, WidgetResult, WidgetRows } from '../../schemas/dashboards/result.ts'
import type { TimeFrame } from '../../schemas/dashboards/time-frame.ts'
import type { Widget } from '../../schemas/dashboards/widget.ts'
import { Failure } from '../../schemas/failures.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import { narrowScope } from '../configuration/narrow-scope.ts'
import { parseSourceQuery } from '../configuration/source-scope.ts'
import { findQueryWarnings } from '../edge/find-warnings.ts'
import { compileWithColumns } from '../language/compile-with-columns.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import { parseQuery } from '../language/parse/parse-query.ts'
import { printQuery } from '../language/print/print-query.ts'
import { readOnce } from '../language/read-query.ts'
import { makeQueryCatalog } from '../language/resolve/query-catalog.ts'
import type { Filter, Query, Scope } from '../language/tree.ts'
import { collect } from '../search/collect.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import { readEventRow } from '../search/print/event-row-reader.ts'
import { EventTable } from '../search/print/event-table.ts'
import { SummaryTable } from '../search/print/summary-table.ts'
import type { Turn, TurnDeps } from '../search/run-in-turn.ts'
import { readVisibleScope, type VisibleScope } from '../search/visible-scope.ts'
import { filterInput } from '../search-json/filter-input.ts'
import { readWindow } from '../search-json/read-window.ts'
import { workInTurn } from '../search-json/work-in-turn.ts'
import { bindVariables, type ChosenValues } from './bind-variables.ts'

export type WidgetDeps = TurnDeps & { readonly metastore: OpenedMetastore }

/** What a dashboard gives to its widgets. */
export type WidgetContext = {
  readonly reader: Reader
  readonly chosen: ChosenValues
  /** Of the levels above. */
  readonly timeFrame: TimeFrame
  readonly sources: string
  readonly style: CellStyle
  readonly nowMs: number
}

/** Of all rows of a widget. */
const MAX_CELLS_LENGTH = 512 * 1024
const MAX_POINTS = 2000
const TABLES: ReadonlySet<Widget['type']> = new Set(['table', 'eventList', 'transactionTable'])

/** Fails with dashboard.variable, search.*, request.invalid (sources) and what a search does. */
export async function runWidget(
  widget: Widget,
  context: WidgetContext,
  turn: Turn,
  deps: WidgetDeps,
): Promise<WidgetResult> {
  const { reader, style, nowMs } = context
  const window = windowOf(widget.timeFrame ?? context.timeFrame, context)
  const told = { widgetId: widget.id, window, error: null, warnings: [] }
  if (widget.type === 'text') return { ...told, query: '', rows: null }
  const all = await readVisibleScope(deps.metastore, reader)
  const sources = widget.sources ?? context.sources
  const scope = narrowScope(all, sources)
  const catalog = makeQueryCatalog(scope.visibleLogs, scope.columns)
  const text = bindVariables(widget.query, context.chosen, (it) => parseQuery(it, catalog))
  const maxRows = TABLES.has(widget.type) ? widget.options.maxRows : MAX_POINTS
  // One more tells whether there are more.
  const input = {
    ...readOnce(filterInput(text, { window, nowMs }, scope, style)),
    maxRows: maxRows + 1,
  }
  const rows = await workInTurn(turn, deps, async (store) => {
    const compiled = await compileWithColumns(input, async (statement) => {
      const names = await collect(store.stream(statement))
      return names.map(([name]) => ({ name: String(name) }))
    })
    return await readRows(compiled, store.stream(compiled), { maxRows, scope, style })
  })
  const query = withSources(parseQuery(text, catalog), parseSourceQuery(sources)) ?? text
  return { ...told, query, rows, warnings: [...findQueryWarnings(input)] }
}

/** The query as somebody would ask it who has no dashboard; undefined: it stays as it is. */
function withSources({ source, ...query }: Query, scope: Scope | undefined): string | undefined {
  if (scope === undefined || source.kind === 'transaction') return undefined
  const { start, end, filter: operand } = source
  const filter: Filter = { kind: 'scoped', start, end, operand, scope }
  return printQuery({ ...query, source: { ...source, filter } })
}

export function windowOf(frame: TimeFrame, { nowMs, style }: WidgetContext): TimeWindow {
  const given = 'interval' in frame ? frame : { start: frame.start, end: frame.end }
  return readWindow(given, { nowMs, ...style })
}

async function readRows(
  compiled: CompiledSearch,
  stream: AsyncIterable<unknown[][]>,
  given: { readonly maxRows: number; readonly scope: VisibleScope; readonly style: CellStyle },
): Promise<WidgetRows> {
  const { maxRows, scope, style } = given
  const table =
    compiled.kind === 'events'
      ? new EventTable(compiled, scope.names, style)
      : new SummaryTable(compiled.columns, style)
  const values: unknown[][] = []
  let hasMore = false
  read: for await (const batch of stream)
    for (const row of batch) {
      if (table.rowCount === maxRows) {
        hasMore = true
        break read
      }
      if (table instanceof EventTable) table.add(readEventRow(row))
      else {
        table.add(row)
        values.push(row)
      }
      if (table.textLength > MAX_CELLS_LENGTH)
        throw new Failure('search.too_large', { maxBytes: MAX_CELLS_LENGTH })
    }
  const { columns, rows } = table.finish()
  return {
    columns: columns.map((name, at) => columnOf(name, at, compiled, values)),
    rows: rows.map((row) => columns.map((_, at) => row[at] || null)),
    hasMore,
  }
}

function columnOf(
  name: string,
  at: number,
  compiled: CompiledSearch,
  values: readonly unknown[][],
): ResultColumn {
  const cell = compiled.kind === 'table' ? compiled.columns[at]?.cell : 'text'
  if (cell === 'number') return { name, type: 'number' }
  if (cell !== 'date') return { name, type: 'text' }
  const times = values.map((row) => {
    const value = row[at]
    return value === null || value === undefined || value === '' ? null : Number(value)
  })
  return { name, type: 'time', times }
}
