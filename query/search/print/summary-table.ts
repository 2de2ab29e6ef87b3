// Rows of a complex search becoming a result table.
import type { OutputColumn } from '../../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import type { ResultTable } from './result-table.ts'
import { printSummaryCell } from './summary-cell.ts'

export class SummaryTable {
  readonly #columns: readonly OutputColumn[]
  readonly #style: CellStyle
  readonly #rows: string[][] = []
  #textLength = 0

  constructor(columns: readonly OutputColumn[], style: CellStyle) {
    this.#columns = columns
    this.#style = style
  }

  get rowCount(): number {
    return this.#rows.length
  }

  /** UTF-16 units of all cells so far: the printed result has at least as many bytes. */
  get textLength(): number {
    return this.#textLength
  }

  /** Values in the order of the columns c0, c1, … */
  add(values: readonly unknown[]): void {
    const cells = this.#columns.map((column, index) =>
      printSummaryCell(column, values[index], this.#style),
    )
    for (const cell of cells) this.#textLength += cell.length + 1
    this.#rows.push(cells)
  }

  finish(): ResultTable {
    return { columns: this.#columns.map((column) => column.name), rows: this.#rows }
  }
}
