// Events becoming a result table (language 2.7). Only what is printed of a row is kept, and the reader is told when that alone
// is more than the answer may hold, so that no more rows are fetched.
import type { CompiledEvents, EventCell, EventRow, ParsedColumn } from '../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import { FIXED_COLUMNS, type LogNames, readBuiltInCell, readEventCell } from './event-cells.ts'
import type { ResultTable } from './result-table.ts'

const NOTHING: ReadonlyMap<number, string> = new Map()

type KeptRow = { readonly cells: readonly string[]; readonly parsed: ReadonlyMap<number, string> }

export class EventTable {
  readonly #cells: readonly EventCell[] | 'all'
  readonly #parsedColumns: readonly ParsedColumn[]
  /** For 'all': spelling -> its column, and how early the spelling was seen. */
  readonly #spellings = new Map<string, { column: number; rank: number }>()
  readonly #logs: ReadonlyMap<number, LogNames>
  readonly #style: CellStyle
  readonly #rows: KeptRow[] = []
  #textLength = 0

  constructor(
    compiled: Pick<CompiledEvents, 'cells' | 'parsedColumns'>,
    logs: ReadonlyMap<number, LogNames>,
    style: CellStyle,
  ) {
    this.#cells = compiled.cells
    this.#parsedColumns = compiled.parsedColumns
    this.#logs = logs
    this.#style = style
    if (compiled.cells !== 'all') return
    for (const [column, { name, spellings }] of compiled.parsedColumns.entries()) {
      // A built-in column is not hidden by a parsed one of its name, and a name is printed once (language 2.5, 2.7).
      if (FIXED_COLUMNS.some((fixed) => fixed === name.toLowerCase())) continue
      for (const [rank, spelling] of spellings.entries())
        this.#spellings.set(spelling, { column, rank })
    }
  }

  get rowCount(): number {
    return this.#rows.length
  }

  /** UTF-16 units of all cells so far: the printed result has at least as many bytes. */
  get textLength(): number {
    return this.#textLength
  }

  add(row: EventRow): void {
    const isAll = this.#cells === 'all'
    const cells =
      this.#cells === 'all'
        ? FIXED_COLUMNS.map((column) => readBuiltInCell(row, column, this.#logs, this.#style))
        : this.#cells.map((cell) => readEventCell(row, cell, this.#logs, this.#style))
    const parsed = isAll ? this.#readParsed(row) : NOTHING
    for (const text of cells) this.#textLength += text.length + 1
    for (const text of parsed.values()) this.#textLength += text.length + 1
    this.#rows.push({ cells, parsed })
  }

  finish(): ResultTable {
    if (this.#cells !== 'all')
      return {
        columns: this.#cells.map((cell) => cell.name),
        rows: this.#rows.map(({ cells }) => cells),
      }
    const used = new Set<number>()
    for (const { parsed } of this.#rows) for (const column of parsed.keys()) used.add(column)
    const columns = [...used].sort((a, b) => a - b)
    return {
      columns: [
        ...FIXED_COLUMNS,
        ...columns.map((column) => this.#parsedColumns[column]?.name ?? ''),
      ],
      rows: this.#rows.map(({ cells, parsed }) => [
        ...cells,
        ...columns.map((column) => parsed.get(column)),
      ]),
    }
  }

  /** Non-empty values by column; of several spellings in one row the one seen first counts (as readParsedCell). */
  #readParsed(row: EventRow): Map<number, string> {
    const found = new Map<number, string>()
    const ranks = new Map<number, number>()
    const offer = (spelling: string, value: string | undefined) => {
      const place = this.#spellings.get(spelling)
      if (place === undefined || value === undefined || value === '') return
      const known = ranks.get(place.column)
      if (known !== undefined && known <= place.rank) return
      ranks.set(place.column, place.rank)
      found.set(place.column, value)
    }
    for (const [index, path] of row.paths.entries()) offer(path, row.values[index])
    for (const [name, value] of Object.entries(row.ids)) offer(name, value)
    return found
  }
}
