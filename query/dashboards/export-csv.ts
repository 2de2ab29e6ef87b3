// CSV (RFC 4180) of all tables of a dashboard: of each widget its title, a head, and its rows.
import type { DashboardDefinition } from '../../schemas/dashboards/dashboard.ts'
import type { DashboardResult } from '../../schemas/dashboards/result.ts'

export function printDashboardCsv(
  { widgets }: DashboardDefinition,
  { widgets: results }: DashboardResult,
): string {
  const parts = widgets.flatMap(({ id, title }) => {
    const result = results.find(({ widgetId }) => widgetId === id)
    if (result === undefined) return []
    if (result.error !== null) return [[[title], [result.error.message]]]
    if (result.rows === null) return []
    return [[[title], result.rows.columns.map(({ name }) => name), ...result.rows.rows]]
  })
  return parts.map((lines) => lines.map(printLine).join('')).join('\r\n')
}

function printLine(cells: readonly (string | null)[]): string {
  const printed = cells.map((cell) => {
    const text = cell ?? ''
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${printed.join(',')}\r\n`
}
