// What the compiler hands to the search that runs it (query/search): SQL text with bound
// parameters, and how rows become cells. The text of a query is in `params` at most, never in
// `sql`.
import type { BuiltInColumn } from './built-in-columns.ts'

export type CompiledSearch = (CompiledEvents | CompiledTable) & {
  /** Ids of the logs of each read of a table. */
  readonly readLogs: readonly (readonly number[])[]
}

type Compiled = {
  readonly sql: string
  /** For `{name:Type}` in the SQL. */
  readonly params: Readonly<Record<string, unknown>>
  /** To be sent beside the caller's own limits. */
  readonly settings: Readonly<Record<string, string | number>>
  /**
   * One row, one UInt64 `total`: how many rows the whole result has, counted no further than the
   * parameter `countLimit` (UInt64), which the caller adds to `params`. It ignores the row limit of
   * `sql`. For abortOn and maxResults.
   */
  readonly countSql: string
}

/** The result is events: a simple search, also after stages that keep events. Rows are what
 *  event-row-reader.ts makes EventRow of. */
export type CompiledEvents = Compiled & {
  readonly kind: 'events'
  /**
   * The cells of a row in order, or 'all': the fixed columns timestamp, log, folder, host, source,
   * message and then all of `parsedColumns` but those of a fixed column's name. Of parsed columns
   * those are shown that some row has (search-language#the-result-of-a-simple-search).
   */
  readonly cells: readonly EventCell[] | 'all'
  /** An expression over the columns of `sql`: the spellings of the parsed columns that a row has
   *  (Array(String)). */
  readonly namesSql: string
  /** Columns of the logs in scope, first seen first, spellings of one name united. For 'all': show
   *  those that some row has. */
  readonly parsedColumns: readonly ParsedColumn[]
}

/** One column of events; its cell is that of the first spelling that the row has (see
 *  `readParsedCell`). */
export type ParsedColumn = {
  /** As first spelled. */
  readonly name: string
  /** As events spell it. */
  readonly spellings: readonly string[]
}

export type EventCell =
  | { readonly kind: 'builtIn'; readonly name: string; readonly column: BuiltInColumn }
  | { readonly kind: 'parsed'; readonly name: string; readonly column: ParsedColumn }
  /** Worked out by the store: `EventRow.texts[index]`. */
  | { readonly kind: 'text'; readonly name: string; readonly index: number }

/** A row of CompiledEvents.sql, read. Where no cell is `parsed`, the message or the raw text:
 *  message, layout, raw and columns are empty. */
export type EventRow = {
  /** Epoch nanoseconds. */
  readonly timestampNs: string
  readonly logId: number
  readonly host: string
  readonly source: string
  /** '' for an event taken whole (layout starts with 'w'): shown is then the rebuilt raw text. */
  readonly message: string
  readonly layout: string
  /** '' when it is to be rebuilt (schemas/event-layout.ts). */
  readonly raw: string
  readonly size: number
  /** Name as spelled in the event -> text as received. */
  readonly columns: ReadonlyMap<string, string>
  /** Texts of the cells of kind text. */
  readonly texts: readonly string[]
}

/** The result is a summary table. Rows are objects with the keys c0, c1, … in the order of
 *  `columns`. */
export type CompiledTable = Compiled & {
  readonly kind: 'table'
  readonly columns: readonly OutputColumn[]
  /** In place of `sql` the same rows in less time, as a rule: fails with `store.several_spellings`
   *  where equal keys are spelled in several ways. */
  readonly quickSql?: string
}

export type OutputColumn = {
  readonly name: string
  /**
   * What a value is and how it is printed; null is an empty cell:
   * `text` as it is (values of events as received); `number` a JSON number, or digits as text for
   * 64-bit counts: shortest form, at most 15 digits, counts whole; `date` epoch milliseconds as
   * text: system date format, plus milliseconds when not zero.
   */
  readonly cell: 'text' | 'number' | 'date'
}

/** The value of a column in a row; '' when the row lacks it (an empty text counts as missing). */
export function readParsedCell(
  { columns }: Pick<EventRow, 'columns'>,
  column: ParsedColumn,
): string {
  for (const spelling of column.spellings) {
    const value = columns.get(spelling)
    if (value) return value
  }
  return ''
}
