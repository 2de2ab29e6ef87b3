// Rows as the bytes of a file or an export, one at a time.
import { fromByteText, toByteText } from '../../../schemas/byte-text.ts'
import { spreadsheetCell } from '../../../schemas/public-calls/spreadsheet-cell.ts'
import { printCsvHeader, printCsvRow } from './csv.ts'
import { columnsOf, type ResultShape } from './result-shape.ts'
import { frameOfRows, makeXmlRowPrinter, replaceUnprintable } from './xml.ts'

export type RowPrinter = {
  readonly opening: string
  print(cells: readonly string[]): string
  readonly closing: string
  toBytes(text: string): Uint8Array
}

export type FileFormat = 'xml' | 'csv'
/** Marked as ours: NDJSON, and CSV without the envelope, also with cells for spreadsheets. */
export type ExportFormat = 'json' | 'csv-plain' | 'csv-spreadsheet'

/** What the element Data would hold (decision 4.5); for xml the whole document. */
export function makeFilePrinter(
  format: FileFormat,
  columns: readonly string[],
  numberOfResults: number,
): RowPrinter {
  const toBytes = (text: string) => Buffer.from(text, 'utf8')
  if (format === 'xml')
    return { ...frameOfRows(numberOfResults), print: makeXmlRowPrinter(columns), toBytes }
  return {
    opening: replaceUnprintable(printCsvHeader(columns)),
    print: (cells) => replaceUnprintable(printCsvRow(cells, columns.length)),
    closing: '',
    toBytes,
  }
}

/** Cells are texts of bytes: an export holds the bytes of the events, but for spreadsheets. */
export function makeExportPrinter(format: ExportFormat, shape: ResultShape): RowPrinter {
  const columns = columnsOf(shape)
  if (format === 'json')
    return { opening: '', print: makeJsonRowPrinter(shape), closing: '', toBytes: fromByteText }
  const printCell = format === 'csv-spreadsheet' ? spreadsheetCell : undefined
  return {
    opening: printCsvHeader(columns.map((name) => toByteText(printCell?.(name) ?? name))),
    print: (cells) => printCsvRow(cells, columns.length, printCell),
    closing: '',
    toBytes: fromByteText,
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** One object a row; a missing cell is left out. Computed numbers are numbers, everything else is
 *  text as it is printed elsewhere. */
function makeJsonRowPrinter(shape: ResultShape): RowPrinter['print'] {
  const { rows } = shape
  const keys = uniqueNames(columnsOf(shape)).map((name) => toByteText(JSON.stringify(name)))
  const isNumber = rows.kind === 'table' ? rows.columns.map(({ cell }) => cell === 'number') : []
  return (cells) => {
    let text = ''
    for (const [index, key] of keys.entries()) {
      const cell = cells[index] ?? ''
      if (cell === '') continue
      const value = isNumber[index] && JSON_NUMBER.test(cell) ? cell : JSON.stringify(cell)
      text += `${text === '' ? '' : ','}${key}:${value}`
    }
    return `{${text}}\n`
  }
}

/** A name that occurs again gets a number: of two equal keys most readers lose one. */
function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let count = 2; used.has(unique); count += 1) unique = `${name}_${count}`
    used.add(unique)
    return unique
  })
}
