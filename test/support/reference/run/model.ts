// The reference evaluator's own picture of a search: events, cells, and relations (rows with named
// readers). Nothing here is shared with the product.

export type ReferenceLog = {
  readonly id: number
  readonly folder: readonly string[]
  readonly name: string
  readonly appTags: readonly string[]
  readonly typeWords: readonly string[]
}

export type ReferenceEvent = {
  readonly log: ReferenceLog
  /** Greater for what came later. */
  readonly arrival: number
  /** With a fraction, where the event has one. */
  readonly timestampMs: number
  readonly host: string
  readonly source: string
  /** As shown: the raw text of an event taken whole. */
  readonly message: string
  readonly raw: string
  readonly size: number
  /** Where words are looked for: message and the value of every key. */
  readonly texts: readonly string[]
  /** Parsed columns by spelling. Numbers are those that stand as their shortest form. */
  readonly columns: Readonly<Record<string, string | number | boolean>>
  /** Spellings whose text may be a number in another form, such as 1.10. */
  readonly otherForms?: ReadonlySet<string>
}

/** What the product is told of a column. */
export type ToldColumn = {
  readonly logId: number
  readonly name: string
  readonly kind: 'text' | 'number' | 'bool' | 'id'
  readonly position: number
}

/** What a search is run on. */
export type World = {
  readonly events: readonly ReferenceEvent[]
  /** Those that the user may see. */
  readonly logs: readonly ReferenceLog[]
  /** Spellings by log id, first sight first. */
  readonly names: ReadonlyMap<number, readonly string[]>
  /** Spellings of which a log holds texts. */
  readonly texts?: ReadonlyMap<number, ReadonlySet<string>>
  readonly window: { readonly startMs: number | null; readonly endMs: number | null }
  readonly zone: string
  /** What `now` is. */
  readonly nowMs: number
}

/** null: the row lacks the column. An empty text is never kept. */
export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'number'
      readonly value: number
      readonly text: string
      /** With all digits, where `value` has fewer. */
      readonly exact?: string
    }
  | { readonly kind: 'date'; readonly ms: number }
  | { readonly kind: 'tags'; readonly texts: readonly string[] }
  | null

export type Row = {
  readonly event: ReferenceEvent | null
  /** Of tables, by a name of ours. */
  readonly cells: ReadonlyMap<string, Cell>
}
export type Reader = (row: Row) => Cell

export type Column = {
  readonly title: string
  /** Further names, which count when only one column has them. */
  readonly synonyms: readonly string[]
  readonly read: Reader
  /** A format of `display`: what is printed instead of the value. */
  readonly print: ((row: Row) => string) | null
  /** Parsed columns of events stand only where some row has them
   *  (search-language#the-result-of-a-simple-search). */
  readonly isOptional: boolean
  /** Of events: the title is a name for later stages, before columns of that name. */
  readonly isNamed: boolean
}

export type Relation = {
  readonly kind: 'events' | 'table'
  readonly rows: readonly Row[]
  readonly shown: readonly Column[]
  /** Reachable, not shown. Of events: what was named or added; everything else is in the events. */
  readonly hidden: readonly Column[]
  /** Logs whose events these can be. */
  readonly logs: readonly ReferenceLog[]
}

export function textCell(text: string): Cell {
  return text === '' ? null : { kind: 'text', text }
}

/** A calculated number: shortest form, at most 15 digits (search-language#formats). */
export function numberCell(value: number | null): Cell {
  if (value === null || !Number.isFinite(value)) return null
  const rounded = Number(value.toPrecision(15))
  return { kind: 'number', value, text: String(rounded === 0 ? 0 : rounded) }
}

export function tableRow(cells: Iterable<readonly [string, Cell]>): Row {
  return { event: null, cells: new Map(cells) }
}

export function tableColumn(id: string, title: string, synonyms: readonly string[] = []): Column {
  return {
    title,
    synonyms,
    read: (row) => row.cells.get(id) ?? null,
    print: null,
    isOptional: false,
    isNamed: false,
  }
}
