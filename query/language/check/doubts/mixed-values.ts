// Functions and sorting of columns that hold numbers and texts: what is computed then may not be
// what was meant (search-language#functions, #order-by). Pure.
import { builtInColumn } from '../../built-in-columns.ts'
import type { KindsOf } from '../../resolve/query-catalog.ts'
import type { ColumnRef, Filter, FunctionCall, Query, Test } from '../../tree.ts'
import type { Edit } from '../edit.ts'

export type MixedValues = {
  readonly column: ColumnRef
  /** Rows with a text that is no number. */
  readonly texts: Filter
  /** Rows with a number; undefined: it does not matter whether there are some. */
  readonly numbers: Filter | undefined
  /** What is computed, after the texts that are there. */
  readonly reason: string
  readonly edit: Edit | undefined
  /** Known without the store: both kinds came in JSON. */
  readonly isLikely: boolean
}

const NUMBER = '^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$'
/** What functions read as a number: with spaces around and commas between thousands. */
const READABLE = '^\\s*[+-]?(?:[0-9][0-9,]*[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?\\s*$'
const OF_NUMBERS: ReadonlySet<string> = new Set(['sum', 'avg', 'median', 'percentile', 'stdev'])

/** Of stages that read the events themselves. `kindsOf`: of the logs that the filter selects. */
export function mixedValues({ source, stages }: Query, kindsOf: KindsOf): readonly MixedValues[] {
  if (source.kind === 'transaction') return []
  const found: MixedValues[] = []
  const passed: Filter[] = [source.filter]
  for (const stage of stages) {
    if (stage.kind === 'where') passed.push(stage.filter)
    else if (stage.kind === 'orderBy')
      found.push(...stage.keys.flatMap(({ column }) => ofOrder(column, passed, kindsOf)))
    else if (stage.kind === 'functions')
      return [...found, ...stage.functions.flatMap((call) => ofCall(call, passed, kindsOf))]
    else if (stage.kind !== 'list' || stage.items.some(({ alias }) => alias !== null)) break
  }
  return found
}

function ofOrder(
  column: ColumnRef,
  passed: readonly Filter[],
  kindsOf: KindsOf,
): readonly MixedValues[] {
  const kinds = kindsOfColumn(column, kindsOf)
  if (!kinds.has('text') || !kinds.has('number')) return []
  const texts = both(passed, matches(column, NUMBER, true))
  const reason = 'ascending all numbers stand before them, descending after them'
  return [{ column, texts, numbers: undefined, reason, edit: undefined, isLikely: true }]
}

function ofCall(
  { name, column, condition }: FunctionCall,
  passed: readonly Filter[],
  kindsOf: KindsOf,
): readonly MixedValues[] {
  const isExtreme = name === 'min' || name === 'max'
  if (column === null || (!isExtreme && !OF_NUMBERS.has(name))) return []
  const kinds = kindsOfColumn(column, kindsOf)
  if (!kinds.has('text')) return []
  const rows = condition === null ? passed : [...passed, condition]
  const number = isExtreme ? NUMBER : READABLE
  const numbers = isExtreme ? both(rows, matches(column, number, false)) : undefined
  const write = ` if (${column.name} matches "^[-+]?[0-9.]+$")`
  const isOffered = isExtreme && condition === null && /^[\w.]+$/.test(column.name)
  return [
    {
      ...{ column, numbers, isLikely: kinds.has('number') },
      texts: both(rows, matches(column, number, true)),
      reason: isExtreme
        ? `with them ${name} takes all values as texts, by the alphabet; a condition leaves numbers alone`
        : `${name} leaves them out, they do not read as numbers`,
      edit: isOffered ? { start: column.end, end: column.end, text: write } : undefined,
    },
  ]
}

function kindsOfColumn(column: ColumnRef, kindsOf: KindsOf): ReturnType<KindsOf> {
  const isBuiltIn = column.origin !== 'parsed' && builtInColumn(column.name) !== undefined
  return isBuiltIn ? new Set() : kindsOf(column.name)
}

function both(filters: readonly Filter[], last: Filter): Filter {
  const { start, end } = last
  return { kind: 'and', start, end, operands: [...filters, last] }
}

/** `isNegated`: values that do not match, and none that are missing. */
function matches(column: ColumnRef, regexp: string, isNegated: boolean): Test {
  const { start, end } = column
  const value = {
    kind: 'value',
    ...{ start, end, isQuoted: true },
    pattern: [{ kind: 'text', text: regexp }],
  } as const
  return { kind: 'test', start, end, column, check: { kind: 'matches', isNegated, value } }
}
