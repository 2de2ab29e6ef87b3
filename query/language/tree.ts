// The tree of a query: what parsing makes and what resolver, compiler and printer read
// (search-language#grammar). Nodes are plain readonly objects with a `kind`. Parentheses are not
// kept: nesting says it, the printer puts them back.
import type { TimeUnit } from '../../schemas/time/time-unit.ts'

/** Half-open range of UTF-16 code units in the query text, from 0. (Failures show `start + 1`.) */
export type Span = { readonly start: number; readonly end: number }

export type Query = Span & {
  readonly kind: 'query'
  readonly source: FilterSource | Transaction
  readonly stages: readonly Stage[]
}

/** A filter with its scopes; an empty one is `everything`. */
export type FilterSource = Span & { readonly kind: 'filterSource'; readonly filter: Filter }

// ---------- filter (search-language#words) ----------

export type Filter = Everything | Word | Phrase | Not | And | Or | Scoped | Test

/** `*` */
export type Everything = Span & { readonly kind: 'everything' }
/** An unquoted word: plain, punctuated or with wildcards. */
export type Word = Span & { readonly kind: 'word'; readonly pattern: Pattern }
/** A quoted text; never empty after trimming. */
export type Phrase = Span & { readonly kind: 'phrase'; readonly text: string }
export type Not = Span & { readonly kind: 'not'; readonly operand: Filter }
/** Two operands or more. */
export type And = Span & { readonly kind: 'and'; readonly operands: readonly Filter[] }
export type Or = Span & { readonly kind: 'or'; readonly operands: readonly Filter[] }
/** `operand in scope` */
export type Scoped = Span & {
  readonly kind: 'scoped'
  readonly operand: Filter
  readonly scope: Scope
}

/** Text with wildcards: neighbouring texts are one part, a text is never empty, `run` is `*`, `one`
 *  is `?`. */
export type Pattern = readonly PatternPart[]
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'run' }
  | { readonly kind: 'one' }

// ---------- scope (search-language#scopes) ----------

/** Items unite; an excluding scope (`not in`) has no `include` of its own. */
export type Scope = Span & {
  readonly kind: 'scope'
  /** Empty: everything the user may see (only `not in` was written). */
  readonly include: readonly ScopeItem[]
  readonly exclude: readonly ScopeItem[]
}
export type ScopeItem = ScopeEverything | ScopeName
export type ScopeEverything = Span & { readonly kind: 'scopeEverything' }
export type ScopeKind = 'log' | 'folder' | 'apptag' | 'server' | 'file' | 'type'
export type ScopeName = Span & {
  readonly kind: 'scopeName'
  readonly of: ScopeKind
  /** Case-sensitive; of a quoted name one text part. */
  readonly name: Pattern
}

// ---------- column tests (search-language#column-tests) ----------

/** `parsed`: said as `column.x`; `builtIn`: said as `event.x`; `any`: built-in first, then
 *  parsed. */
export type ColumnOrigin = 'any' | 'parsed' | 'builtIn'
export type ColumnRef = Span & {
  readonly kind: 'column'
  readonly name: string
  readonly origin: ColumnOrigin
}

export type Test = Span & {
  readonly kind: 'test'
  readonly column: ColumnRef
  readonly check: Check
}

export type CompareOperator = '=' | '!=' | '>' | '>=' | '<' | '<='
export type TextOperator = 'contains' | 'starts with' | 'ends with'

export type Check =
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly value: Value }
  /** With another column of the row. */
  | { readonly kind: 'column'; readonly operator: CompareOperator; readonly column: ColumnRef }
  | {
      readonly kind: 'text'
      readonly operator: TextOperator
      readonly isNegated: boolean
      readonly value: Value
    }
  | { readonly kind: 'matches'; readonly isNegated: boolean; readonly value: Value }
  | { readonly kind: 'list'; readonly isNegated: boolean; readonly values: readonly Value[] }
  | { readonly kind: 'between'; readonly low: Value; readonly high: Value }
  | { readonly kind: 'within'; readonly isNegated: boolean; readonly value: Value }
  /** Also `!= null`; negated: `not exists`, `= null`. */
  | { readonly kind: 'exists'; readonly isNegated: boolean }
  | { readonly kind: 'subQuery'; readonly isNegated: boolean; readonly query: Query }

/** `pattern` of a quoted value is one text part (none for an empty text); wildcards count in `=`,
 *  `!=` and lists only. */
export type Value = Span & {
  readonly kind: 'value'
  readonly isQuoted: boolean
  readonly pattern: Pattern
}

// ---------- stages (search-language#functions) ----------

export type Stage =
  | Functions
  | GroupBy
  | Interval
  | Datastream
  | PercentileCut
  | List
  | OrderBy
  | Where
  | Limit
  | Display
  | Extract
  | Replace
  | Round
  | Dedup
  | Transpose
  | Join
export type StageKind = Stage['kind']

export type FunctionName =
  | 'count'
  | 'distinct count'
  | 'sum'
  | 'avg'
  | 'min'
  | 'max'
  | 'stdev'
  | 'median'
  | 'percentile'
  | 'first'
  | 'last'
  | 'values'
  | 'start time'
  | 'end time'
  | 'time'
  | 'percent'

/** `group by` and `interval` written without `|` after functions are stages of their own in the
 *  tree. */
export type Functions = Span & {
  readonly kind: 'functions'
  readonly functions: readonly FunctionCall[]
}
export type FunctionCall = Span & {
  readonly kind: 'function'
  readonly name: FunctionName
  /** For `percentile` only, 0-100. */
  readonly percentile: number | null
  readonly column: ColumnRef | null
  /** `if ( filter )` */
  readonly condition: Filter | null
  /** As written between the parentheses; '' without them. */
  readonly conditionText: string
  readonly alias: string | null
}

export type GroupBy = Span & { readonly kind: 'groupBy'; readonly keys: readonly GroupKey[] }
export type GroupKey = Span & {
  readonly kind: 'key'
  readonly column: ColumnRef
  readonly alias: string | null
  readonly format: Format | null
  /** `or "text"`: replaces a missing key. */
  readonly missingText: string | null
}

export type Interval = Span & {
  readonly kind: 'interval'
  readonly count: number
  readonly unit: TimeUnit
}

/** Its `interval` and `group by` follow as stages. */
export type Datastream = Span & {
  readonly kind: 'datastream'
  /** By time of receipt in place of the event's own. */
  readonly isReceived: boolean
}
export type PercentileCut = Span & { readonly kind: 'percentileCut'; readonly percentile: number }

export type List = Span & { readonly kind: 'list'; readonly items: readonly PlainItem[] }
export type PlainItem = Span & {
  readonly kind: 'plainItem'
  readonly column: ColumnRef
  readonly alias: string | null
}

export type OrderBy = Span & { readonly kind: 'orderBy'; readonly keys: readonly OrderKey[] }
export type OrderKey = Span & {
  readonly kind: 'orderKey'
  readonly column: ColumnRef
  readonly direction: 'asc' | 'desc'
}

/** Its filter has no scope. */
export type Where = Span & { readonly kind: 'where'; readonly filter: Filter }
export type Limit = Span & {
  readonly kind: 'limit'
  readonly count: number
  readonly offset: number
}

export type Display = Span & {
  readonly kind: 'display'
  /** `display only` */
  readonly isOnly: boolean
  readonly items: readonly DisplayItem[]
}
export type DisplayItem = Span & {
  readonly kind: 'displayItem'
  readonly column: ColumnRef
  readonly alias: string | null
  readonly format: Format | null
}

export type FormatType =
  | 'number'
  | 'simple'
  | 'time'
  | 'date'
  | 'volume'
  | 'regexp'
  | 'expression'
  | 'query'
export type Format = Span & {
  readonly kind: 'format'
  readonly type: FormatType
  readonly arguments: readonly string[]
  /** Where each argument begins. */
  readonly argumentStarts: readonly number[]
}

export type Extract = Span & {
  readonly kind: 'extract'
  readonly regexp: string
  readonly regexpStart: number
  readonly column: ColumnRef
}
export type Replace = Span & {
  readonly kind: 'replace'
  readonly regexp: string
  readonly regexpStart: number
  readonly replacement: string
  readonly replacementStart: number
  readonly column: ColumnRef
  readonly alias: string | null
}
export type Round = Span & {
  readonly kind: 'round'
  readonly column: ColumnRef
  readonly digits: number
  readonly alias: string | null
}
export type Dedup = Span & { readonly kind: 'dedup'; readonly columns: readonly ColumnRef[] }
export type Transpose = Span & { readonly kind: 'transpose'; readonly column: ColumnRef | null }
export type Join = Span & {
  readonly kind: 'join'
  readonly query: Query
  /** Names that the columns of `query` go by, as far as reading it tells. */
  readonly given: readonly string[]
  readonly left: ColumnRef
  /** null: the same name as `left`. */
  readonly right: ColumnRef | null
}

// ---------- transaction (search-language#transaction) ----------

export type Transaction = Span & {
  readonly kind: 'transaction'
  readonly steps: readonly TransactionStep[]
  readonly limitMinutes: number | null
  readonly isUniqueKey: boolean
}
export type TransactionStep = Span & {
  readonly kind: 'step'
  /** As written between the quotation marks, without escapes. */
  readonly query: string
  /** The filter in `query`; positions are those of the whole text. */
  readonly filter: Filter
  readonly key: string
  readonly name: string
}
