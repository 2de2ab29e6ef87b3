// RFC 4180 with '\n' as line end (language section 6), a header line, no BOM (decision 4.2).
import type { ResultTable } from './result-table.ts'

/** Stops early, incomplete, once `maxLength` is passed. */
export function toCsv(table: ResultTable, maxLength = Number.POSITIVE_INFINITY): string {
  let text = `${table.columns.map(quoteName).join(',')}\n`
  for (const row of table.rows) {
    // A lone empty cell is quoted: many readers skip an empty line, and the row with it.
    text +=
      table.columns.length === 1 && (row[0] ?? '') === ''
        ? '""\n'
        : `${table.columns.map((_, index) => quote(row[index] ?? '')).join(',')}\n`
    if (text.length > maxLength) break
  }
  return text
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A byte order mark at the very start would be taken for an encoding mark. */
function quoteName(name: string): string {
  return name.startsWith('\ufeff') ? `"${name.replaceAll('"', '""')}"` : quote(name)
}
