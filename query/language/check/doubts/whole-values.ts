// Tests with `=` that no event passes, where the value is a part of one: `=` means the whole value
// (search-language#column-tests). Pure.
import { parseDecimal } from '../../../../schemas/decimal.ts'
import { type BuiltInColumn, builtInColumn } from '../../built-in-columns.ts'
import { patternText } from '../../parse/input.ts'
import { printQuoted } from '../../print/print-words.ts'
import type { ColumnRef, Filter, Query, Scope, Test } from '../../tree.ts'
import type { Edit } from '../edit.ts'

export type WholeValue = {
  readonly column: ColumnRef
  /** Events that pass the test within its scopes. */
  readonly exact: Filter
  /** Events whose value holds it. */
  readonly within: Filter
  readonly edit: Edit
  /** Why nothing passes. */
  readonly reason: string
}

const MAX_SHOWN = 40

/** Built-in columns that hold texts. */
const TEXTS: ReadonlySet<BuiltInColumn> = new Set([
  'message',
  'host',
  'log',
  'folder',
  'source',
  'raw',
])

/** Of the filter, not under NOT. `text`: the query. */
export function wholeValues({ source }: Query, text: string): readonly WholeValue[] {
  return source.kind === 'transaction' ? [] : inFilter(source.filter, [], text)
}

function inFilter(filter: Filter, scopes: readonly Scope[], text: string): WholeValue[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap((operand) => inFilter(operand, scopes, text))
    case 'scoped':
      return inFilter(filter.operand, [...scopes, filter.scope], text)
    case 'test':
      return readTest(filter, scopes, text)
    default:
      return []
  }
}

function readTest(test: Test, scopes: readonly Scope[], text: string): WholeValue[] {
  const { column, check, start, end } = test
  const builtIn = column.origin === 'parsed' ? undefined : builtInColumn(column.name)
  if (builtIn !== undefined && !TEXTS.has(builtIn)) return []
  const scoped = (inner: Test) =>
    scopes.reduceRight<Filter>(
      (operand, scope) => ({ kind: 'scoped', operand, scope, start, end }),
      inner,
    )
  const name = text.slice(column.start, column.end)
  const isNull = check.kind === 'exists' && check.isNegated
  if (isNull && /=\s*null$/i.test(text.slice(start, end))) {
    const value = {
      kind: 'value',
      ...{ start, end, isQuoted: true },
      pattern: [{ kind: 'text', text: 'null' }],
    } as const
    const asText = { kind: 'compare', operator: '=', value } as const
    return [
      {
        ...{ column, exact: scoped(test), within: scoped({ ...test, check: asText }) },
        edit: { start, end, text: `${name} = "null"` },
        reason: `every event in scope and window has '${column.name}', some the text 'null': = null finds events without the column, = "null" the text`,
      },
    ]
  }
  if (check.kind !== 'compare' || check.operator !== '=') return []
  const { value } = check
  if (value.pattern.some((part) => part.kind !== 'text')) return []
  const said = patternText(value.pattern)
  // A number within a number is another number.
  if (said === '' || parseDecimal(said) !== null) return []
  const contains = { kind: 'text', operator: 'contains', isNegated: false, value } as const
  const shown = said.length > MAX_SHOWN ? `${said.slice(0, MAX_SHOWN)}…` : said
  return [
    {
      ...{ column, exact: scoped(test), within: scoped({ ...test, check: contains }) },
      edit: { start, end, text: `${name} contains ${printQuoted(said)}` },
      reason: `no event in scope and window has exactly '${shown}' in '${column.name}', but events have it within a longer value: = means the whole value, contains a part of it`,
    },
  ]
}
