// RFC 4180 with '\n' as line end (decision 4.2), a header line, no BOM.
import type { ResultTable } from './result-table.ts'

/** What becomes of each cell, heads included. */
export type PrintCell = (text: string) => string
const AS_IT_IS: PrintCell = (text) => text

/** Stops early, incomplete, once `maxLength` is passed. */
export function toCsv(
  table: ResultTable,
  maxLength = Number.POSITIVE_INFINITY,
  printCell = AS_IT_IS,
): string {
  let text = printCsvHeader(table.columns.map(printCell))
  for (const row of table.rows) {
    text += printCsvRow(row, table.columns.length, printCell)
    if (text.length > maxLength) break
  }
  return text
}

export function printCsvHeader(columns: readonly string[]): string {
  return `${columns.map(quoteName).join(',')}\n`
}

export function printCsvRow(
  row: readonly (string | undefined)[],
  width: number,
  printCell = AS_IT_IS,
): string {
  // A lone empty cell is quoted: many readers skip an empty line, and the row with it.
  if (width === 1 && (row[0] ?? '') === '') return '""\n'
  let text = ''
  for (let at = 0; at < width; at += 1)
    text += `${at === 0 ? '' : ','}${quote(printCell(row[at] ?? ''))}`
  return `${text}\n`
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A byte order mark at the very start would be taken for an encoding mark; in a text of bytes it
 *  is three characters. */
function quoteName(name: string): string {
  return /^(?:\ufeff|\xef\xbb\xbf)/.test(name) ? `"${name.replaceAll('"', '""')}"` : quote(name)
}
