// Makes cells of the rows of a result, one by one as they come from the store, and keeps nothing.
import { toByteText } from '../../../schemas/byte-text.ts'
import type { EventCell } from '../../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import { type LogNames, readEventCell } from './event-cells.ts'
import { readEventRow } from './event-row-reader.ts'
import type { ResultShape } from './result-shape.ts'
import { printSummaryCell } from './summary-cell.ts'

export type RowCells = (row: readonly unknown[]) => readonly string[]

export function makeRowCells(
  { rows }: Pick<ResultShape, 'rows'>,
  logs: ReadonlyMap<number, LogNames>,
  style: CellStyle,
): RowCells {
  if (rows.kind === 'table') {
    const { columns } = rows
    return (row) => columns.map((column, index) => printSummaryCell(column, row[index], style))
  }
  const { cells } = rows
  return (row) => {
    const event = readEventRow(row)
    return cells.map((cell) => readEventCell(event, cell, logs, style))
  }
}

/** As makeRowCells, for rows read as texts of bytes (schemas/byte-text.ts): the cells are such
 *  texts, too. */
export function makeByteRowCells(
  shape: Pick<ResultShape, 'rows'>,
  logs: ReadonlyMap<number, LogNames>,
  style: CellStyle,
): RowCells {
  const { dateFormat } = style
  const byteStyle: CellStyle = {
    ...style,
    dateFormat: {
      ...dateFormat,
      print: (...given) => toByteText(dateFormat.print(...given)),
      printWithMilliseconds: (...given) => toByteText(dateFormat.printWithMilliseconds(...given)),
    },
  }
  const { rows } = shape
  if (rows.kind === 'table') return makeRowCells(shape, logs, byteStyle)
  const cells = rows.cells.map(toByteCell)
  return makeRowCells({ rows: { kind: 'events', cells } }, byteNames(logs), byteStyle)
}

function toByteCell(cell: EventCell): EventCell {
  if (cell.kind !== 'parsed') return cell
  const spellings = cell.column.spellings.map(toByteText)
  return { ...cell, column: { ...cell.column, spellings } }
}

function byteNames(logs: ReadonlyMap<number, LogNames>): ReadonlyMap<number, LogNames> {
  return new Map(
    [...logs].map(([id, { name, folder, appTags }]) => [
      id,
      {
        name: toByteText(name),
        folder: folder.map(toByteText),
        appTags: appTags.map(toByteText),
      },
    ]),
  )
}
