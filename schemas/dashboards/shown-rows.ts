// Of events a widget shows when, where and what: their other columns stand in the search that it
// leads to, and in CSV. Pure.
import type { WidgetRows } from './result.ts'
import type { Widget } from './widget.ts'

/** What begins the columns of whole events, and which of them are shown. */
const WHOLE = ['timestamp', 'log', 'folder', 'host', 'source', 'message']
const SHOWN = new Set(['timestamp', 'log', 'host', 'message'])

/** A query that chooses columns by itself has them all shown. */
export function shownRows(type: Widget['type'], rows: WidgetRows): WidgetRows {
  if (type !== 'eventList') return rows
  if (!WHOLE.every((name, at) => rows.columns[at]?.name === name)) return rows
  const places = WHOLE.flatMap((name, at) => (SHOWN.has(name) ? [at] : []))
  return {
    columns: places.flatMap((place) => rows.columns[place] ?? []),
    rows: rows.rows.map((row) => places.map((place) => row[place] ?? null)),
    hasMore: rows.hasMore,
  }
}
