// Events becoming a result table (language 2.7). Only what is printed of a row is kept, and the reader is told when that alone
// is more than the answer may hold, so that no more rows are fetched.
import { isWholeEvent, rebuildRaw } from '../../schemas/event-layout.ts'
import type { BuiltInColumn } from '../language/built-in-columns.ts'
import {
  type CompiledEvents,
  type EventCell,
  type EventRow,
  type ParsedColumn,
  readParsedCell,
} from '../language/compiled.ts'
import { type CellStyle, formatTime } from './cell-text.ts'
import type { ResultTable } from './result-table.ts'

/** What a row's log id stands for. */
export type LogNames = {
  readonly name: string
  readonly folder: readonly string[]
  readonly appTags: readonly string[]
}

const FIXED: readonly BuiltInColumn[] = ['timestamp', 'log', 'folder', 'host', 'source', 'message']

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
      if (FIXED.some((fixed) => fixed === name.toLowerCase())) continue
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
        ? FIXED.map((column) => this.#readBuiltIn(row, column))
        : this.#cells.map((cell) =>
            cell.kind === 'builtIn'
              ? this.#readBuiltIn(row, cell.column)
              : readParsedCell(row, cell.column),
          )
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
      columns: [...FIXED, ...columns.map((column) => this.#parsedColumns[column]?.name ?? '')],
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

  #readBuiltIn(row: EventRow, column: BuiltInColumn): string {
    const log = this.#logs.get(row.logId)
    switch (column) {
      case 'timestamp':
        return formatTime(timestampMs(row), this.#style)
      case 'log':
        return log?.name ?? ''
      case 'folder':
        return log?.folder.join('->') ?? ''
      case 'host':
        return row.host
      case 'source':
        return row.source
      case 'apptags':
        return log?.appTags.join(', ') ?? ''
      case 'message':
        return isWholeEvent(row.layout) ? rawOf(row) : row.message
      case 'raw':
        return rawOf(row)
      case 'size':
        return String(row.size)
    }
  }
}

function timestampMs(row: EventRow): number {
  return Number(row.timestampNs.slice(0, -6))
}

/** The event's bytes as text. */
export function rawOf(row: EventRow): string {
  return rebuildRaw({
    layout: row.layout,
    raw: row.raw,
    message: row.message,
    host: row.host,
    timestampMs: timestampMs(row),
    timestampNanos: Number(row.timestampNs.slice(-6)),
    column: (name) => {
      const index = row.paths.indexOf(name)
      return index === -1
        ? Object.hasOwn(row.ids, name)
          ? row.ids[name]
          : undefined
        : row.values[index]
    },
  })
}
