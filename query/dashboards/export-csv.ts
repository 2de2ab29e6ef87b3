// CSV (RFC 4180) of all tables of a dashboard: of each widget its title, a head, and its rows.

import type { DashboardDefinition } from '../../schemas/dashboards/dashboard.ts'
import type { DashboardResult } from '../../schemas/dashboards/result.ts'
import type { PrintCell } from '../search/print/csv.ts'

export function printDashboardCsv(
  { widgets }: DashboardDefinition,
  { widgets: results }: DashboardResult,
  printCell: PrintCell = (text) => text,
): string {
  const parts = widgets.flatMap(({ id, title }) => {
    const result = results.find(({ widgetId }) => widgetId === id)
    if (result === undefined) return []
    if (result.error !== null) return [[[title], [result.error.message]]]
    if (result.rows === null) return []
    return [[[title], result.rows.columns.map(({ name }) => name), ...result.rows.rows]]
  })
  const printLines = (lines: readonly Line[]) =>
    lines.map((cells) => printLine(cells.map((cell) => printCell(cell ?? '')))).join('')
  return parts.map(printLines).join('\r\n')
}

type Line = readonly (string | null)[]

function printLine(cells: readonly string[]): string {
  const printed = cells.map((text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  )
  return `${printed.join(',')}\r\n`
}
