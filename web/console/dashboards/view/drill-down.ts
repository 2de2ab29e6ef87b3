// Where a widget leads: the search that it shows, or what one of its bars was counted of. Pure.
import { chooseColumns, readSeries } from '../../../../schemas/charts/read-series.ts'
import type { WidgetResult } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import { addTest, printTest } from '../../../shared/query/edit-query.ts'
import { splitQuery } from '../../../shared/query/split-query.ts'

type Window = WidgetResult['window']
/** Of a chart: see draw-chart.ts. */
type Picked = { readonly name: string; readonly at: number; readonly series: string }

export function searchPath(query: string, { startMs, endMs }: Window): string {
  const parameters = new URLSearchParams({ query })
  if (startMs === null || endMs === null) parameters.set('interval', 'allData')
  else {
    parameters.set('start', new Date(startMs).toISOString())
    parameters.set('end', new Date(endMs).toISOString())
  }
  return `/logeye/?${parameters}`
}

/** Undefined: the widget leads nowhere. */
export function pickedPath(
  { options, hasDrillDown }: Widget,
  { query, window, rows }: WidgetResult,
  { name, at, series }: Picked,
): string | undefined {
  if (!hasDrillDown || rows === null) return undefined
  const { filter } = splitQuery(query)
  const data = readSeries(rows, options)
  const places = chooseColumns(rows, options)
  const narrow = (text: string, place: number | undefined, value: string) => {
    const column = place === undefined ? undefined : rows.columns[place]
    // `others` and `(none)` are no values.
    const isValue = rows.rows.some((row) => row[place ?? -1] === value)
    return column?.type === 'text' && isValue ? addTest(text, printTest(column.name, value)) : text
  }
  const ofSeries = narrow(filter, places.series, series)
  if (data.times === undefined) {
    // Names on axes are cut.
    const value = data.categories.includes(name) ? name : (data.categories[at] ?? name)
    return searchPath(narrow(ofSeries, places.category, value), window)
  }
  const { [at]: startMs, [at - 1]: before, [at + 1]: next } = data.times
  if (startMs === undefined) return searchPath(ofSeries, window)
  const width = before === undefined ? undefined : startMs - before
  const endMs = next ?? (width === undefined ? window.endMs : startMs + width)
  return searchPath(ofSeries, { startMs, endMs })
}
