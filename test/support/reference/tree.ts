// What the reference reads a query as. Shaped like the product's tree, so that both print alike;
// made by parse/ alone.
import type { TimeUnit } from '../../../schemas/time/time-unit.ts'

export type Query = {
  readonly kind: 'query'
  readonly source: FilterSource | Transaction
  readonly stages: readonly Stage[]
}
export type FilterSource = { readonly kind: 'filterSource'; readonly filter: Filter }

// ---------- filter ----------

export type Filter =
  | { readonly kind: 'everything' }
  | { readonly kind: 'word'; readonly pattern: Pattern }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'scoped'; readonly operand: Filter; readonly scope: Scope }
  | Test

/** `run` is `*`, `one` is `?`; no text is empty, no two stand side by side. */
export type Pattern = readonly PatternPart[]
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'run' }
  | { readonly kind: 'one' }

export type Scope = {
  /** Empty: all. */
  readonly include: readonly ScopeItem[]
  readonly exclude: readonly ScopeItem[]
}
export type ScopeKind = 'log' | 'folder' | 'apptag' | 'server' | 'file' | 'type'
export type ScopeItem =
  | { readonly kind: 'scopeEverything' }
  | { readonly kind: 'scopeName'; readonly of: ScopeKind; readonly name: Pattern }

/** `parsed`: said as `column.x`; `builtIn`: as `event.x`. */
export type ColumnRef = {
  readonly kind: 'column'
  readonly name: string
  readonly origin: 'any' | 'parsed' | 'builtIn'
}
export type Test = { readonly kind: 'test'; readonly column: ColumnRef; readonly check: Check }
export type CompareOperator = '=' | '!=' | '>' | '>=' | '<' | '<='
export type Check =
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly value: Value }
  | { readonly kind: 'column'; readonly operator: CompareOperator; readonly column: ColumnRef }
  | {
      readonly kind: 'text'
      readonly operator: 'contains' | 'starts with' | 'ends with'
      readonly isNegated: boolean
      readonly value: Value
    }
  | { readonly kind: 'matches' | 'within'; readonly isNegated: boolean; readonly value: Value }
  | { readonly kind: 'list'; readonly isNegated: boolean; readonly values: readonly Value[] }
  | { readonly kind: 'between'; readonly low: Value; readonly high: Value }
  | { readonly kind: 'exists'; readonly isNegated: boolean }
  | { readonly kind: 'subQuery'; readonly isNegated: boolean; readonly query: Query }
export type Value = { readonly isQuoted: boolean; readonly pattern: Pattern }

// ---------- stages ----------

export type Stage =
  | { readonly kind: 'functions'; readonly functions: readonly FunctionCall[] }
  | GroupBy
  | Interval
  | { readonly kind: 'datastream'; readonly isReceived: boolean }
  | { readonly kind: 'percentileCut'; readonly percentile: number }
  | { readonly kind: 'list'; readonly items: readonly PlainItem[] }
  | OrderBy
  | { readonly kind: 'where'; readonly filter: Filter }
  | { readonly kind: 'limit'; readonly count: number; readonly offset: number }
  | Display
  | Extract
  | Replace
  | Round
  | { readonly kind: 'dedup'; readonly columns: readonly ColumnRef[] }
  | { readonly kind: 'transpose'; readonly column: ColumnRef | null }
  | {
      readonly kind: 'join'
      readonly query: Query
      readonly left: ColumnRef
      /** null: as `left`. */
      readonly right: ColumnRef | null
    }

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

export type FunctionCall = {
  readonly name: FunctionName
  readonly percentile: number | null
  readonly column: ColumnRef | null
  readonly condition: Filter | null
  /** What stands between the parentheses of `if`. */
  readonly conditionText: string
  readonly alias: string | null
}
export type GroupBy = { readonly kind: 'groupBy'; readonly keys: readonly GroupKey[] }
export type GroupKey = {
  readonly column: ColumnRef
  readonly alias: string | null
  readonly format: Format | null
  /** `or "text"` */
  readonly missingText: string | null
}
export type Interval = {
  readonly kind: 'interval'
  readonly count: number
  readonly unit: TimeUnit
}
export type PlainItem = { readonly column: ColumnRef; readonly alias: string | null }
export type OrderBy = {
  readonly kind: 'orderBy'
  readonly keys: readonly { readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }[]
}
export type Display = {
  readonly kind: 'display'
  readonly isOnly: boolean
  readonly items: readonly DisplayItem[]
}
export type DisplayItem = PlainItem & { readonly format: Format | null }
export type FormatType =
  | 'number'
  | 'simple'
  | 'time'
  | 'date'
  | 'volume'
  | 'regexp'
  | 'expression'
  | 'query'
export type Format = { readonly type: FormatType; readonly arguments: readonly string[] }
export type Extract = {
  readonly kind: 'extract'
  readonly regexp: string
  readonly column: ColumnRef
}
export type Replace = {
  readonly kind: 'replace'
  readonly regexp: string
  readonly replacement: string
  readonly column: ColumnRef
  readonly alias: string | null
}
export type Round = {
  readonly kind: 'round'
  readonly column: ColumnRef
  readonly digits: number
  readonly alias: string | null
}

// ---------- transaction ----------

export type Transaction = {
  readonly kind: 'transaction'
  readonly steps: readonly TransactionStep[]
  readonly limitMinutes: number | null
  readonly isUniqueKey: boolean
}
export type TransactionStep = {
  /** As written, without escapes. */
  readonly query: string
  readonly filter: Filter
  readonly key: string
  readonly name: string
}
