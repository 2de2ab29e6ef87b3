// Events becoming a result table (search-language#the-result-of-a-simple-search). Only what is
// printed of a row is kept, and the reader is told when that alone is more than the answer may
// hold, so that no more rows are fetched.
import { FIXED_COLUMNS } from '../../language/built-in-columns.ts'
import type { CompiledEvents, EventCell, EventRow } from '../../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import { type LogNames, readEventCell } from './event-cells.ts'
import type { ResultTable } from './result-table.ts'

type KeptRow = { readonly cells: readonly string[]; readonly parsed: ReadonlyMap<number, string> }

/** All cells that a search may show. */
export function shownCells({
  cells,
  parsedColumns,
}: Pick<CompiledEvents, 'cells' | 'parsedColumns'>): readonly EventCell[] {
  if (cells !== 'all') return cells
  const isFixed = (name: string) => FIXED_COLUMNS.some((fixed) => fixed === name.toLowerCase())
  return [
    ...FIXED_COLUMNS.map((column) => ({ kind: 'builtIn', name: column, column }) as const),
    // A built-in column is not hidden by a parsed one of its name, and a name is printed once
    // (search-language#built-in-columns).
    ...parsedColumns
      .filter(({ name }) => !isFixed(name))
      .map((column) => ({ kind: 'parsed', name: column.name, column }) as const),
  ]
}

export class EventTable {
  readonly #cells: readonly EventCell[]
  /** Places of the cells that every row has. */
  readonly #always: readonly number[]
  /** Spelling -> place of its cell, and how early the spelling was seen. */
  readonly #spellings = new Map<string, { place: number; rank: number }>()
  readonly #logs: ReadonlyMap<number, LogNames>
  readonly #style: CellStyle
  readonly #rows: KeptRow[] = []
  #textLength = 0

  constructor(
    compiled: Pick<CompiledEvents, 'cells' | 'parsedColumns'>,
    logs: ReadonlyMap<number, LogNames>,
    style: CellStyle,
  ) {
    this.#cells = shownCells(compiled)
    this.#always = [...this.#cells.keys()].filter((at) => this.#cells[at]?.kind !== 'parsed')
    this.#logs = logs
    this.#style = style
    for (const [place, cell] of this.#cells.entries()) {
      if (cell.kind !== 'parsed') continue
      for (const [rank, spelling] of cell.column.spellings.entries())
        this.#spellings.set(spelling, { place, rank })
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
    const cells = this.#always.map((place) => {
      const cell = this.#cells[place]
      return cell ? readEventCell(row, cell, this.#logs, this.#style) : ''
    })
    const parsed = this.#readParsed(row)
    for (const text of cells) this.#textLength += text.length + 1
    for (const text of parsed.values()) this.#textLength += text.length + 1
    this.#rows.push({ cells, parsed })
  }

  finish(): ResultTable {
    const used = new Set(this.#always)
    for (const { parsed } of this.#rows) for (const place of parsed.keys()) used.add(place)
    const places = [...used].sort((a, b) => a - b)
    const alwaysAt = new Map(this.#always.map((place, index) => [place, index]))
    return {
      columns: places.map((place) => this.#cells[place]?.name ?? ''),
      rows: this.#rows.map(({ cells, parsed }) =>
        places.map((place) => {
          const index = alwaysAt.get(place)
          return index === undefined ? parsed.get(place) : cells[index]
        }),
      ),
    }
  }

  /** Non-empty values by place; of several spellings in one row the one seen first counts (as
   *  readParsedCell). */
  #readParsed(row: EventRow): Map<number, string> {
    const found = new Map<number, string>()
    const ranks = new Map<number, number>()
    const offer = (spelling: string, value: string) => {
      const seen = this.#spellings.get(spelling)
      if (seen === undefined || value === '') return
      const known = ranks.get(seen.place)
      if (known !== undefined && known <= seen.rank) return
      ranks.set(seen.place, seen.rank)
      found.set(seen.place, value)
    }
    if (this.#spellings.size === 0) return found
    for (const [name, value] of row.columns) offer(name, value)
    return found
  }
}
