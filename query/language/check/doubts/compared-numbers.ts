// Tests of a column with a number, where the column also holds texts: these are compared as texts,
// and most of them stand after every number (search-language#numbers). Pure.
import { parseDecimal } from '../../../../schemas/decimal.ts'
import { builtInColumn } from '../../built-in-columns.ts'
import { patternText } from '../../parse/input.ts'
import type { QueryCatalog } from '../../resolve/query-catalog.ts'
import type { Check, ColumnRef, Filter, Query, Scope, Test } from '../../tree.ts'
import type { Edit } from '../edit.ts'

export type ComparedNumber = {
  readonly column: ColumnRef
  /** Events that pass the test with a text. */
  readonly filter: Filter
  /** The test with numbers alone. */
  readonly edit: Edit
}

const NUMBER = '^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$'

/** Of the filter, and of `where` before any stage that makes a table; not under NOT. `text`: the
 *  query. */
export function comparedNumbers(
  { source, stages }: Query,
  text: string,
  catalog: QueryCatalog,
): readonly ComparedNumber[] {
  if (source.kind === 'transaction') return []
  const found = inFilter(source.filter, [], text, catalog)
  for (const stage of stages) {
    if (stage.kind !== 'where' && stage.kind !== 'orderBy') break
    if (stage.kind === 'where') found.push(...inFilter(stage.filter, [], text, catalog))
  }
  return found
}

function inFilter(
  filter: Filter,
  scopes: readonly Scope[],
  text: string,
  catalog: QueryCatalog,
): ComparedNumber[] {
  switch (filter.kind) {
    case 'and': {
      const open = filter.operands.filter((operand) => !isNarrowed(operand, filter.operands))
      return open.flatMap((operand) => inFilter(operand, scopes, text, catalog))
    }
    case 'or':
      return filter.operands.flatMap((operand) => inFilter(operand, scopes, text, catalog))
    case 'scoped':
      return inFilter(filter.operand, [...scopes, filter.scope], text, catalog)
    case 'test': {
      const { column } = filter
      const isBuiltIn = column.origin !== 'parsed' && builtInColumn(column.name) !== undefined
      if (isBuiltIn || !isWithNumber(filter.check)) return []
      if (!catalog.kindsInScopes(scopes)(column.name).has('text')) return []
      return [withText(filter, scopes, text)]
    }
    default:
      return []
  }
}

/** `matches` beside a test of the same column says which texts are meant. */
function isNarrowed(filter: Filter, beside: readonly Filter[]): boolean {
  if (filter.kind !== 'test') return false
  const name = filter.column.name.toLowerCase()
  return beside.some(
    (other) =>
      other.kind === 'test' &&
      other.check.kind === 'matches' &&
      !other.check.isNegated &&
      other.column.name.toLowerCase() === name,
  )
}

function isWithNumber(check: Check): boolean {
  const isNumber = (
    ...values: readonly { readonly pattern: Parameters<typeof patternText>[0] }[]
  ) => values.every(({ pattern }) => parseDecimal(patternText(pattern)) !== null)
  if (check.kind === 'between') return isNumber(check.low, check.high)
  return check.kind === 'compare' && /[<>]/.test(check.operator) && isNumber(check.value)
}

function withText(test: Test, scopes: readonly Scope[], text: string): ComparedNumber {
  const { start, end, column } = test
  const value = {
    kind: 'value',
    ...{ start, end, isQuoted: true },
    pattern: [{ kind: 'text', text: NUMBER }],
  } as const
  const check = { kind: 'matches', isNegated: true, value } as const
  const isText: Test = { kind: 'test', start, end, column, check }
  const both: Filter = { kind: 'and', start, end, operands: [test, isText] }
  const filter = scopes.reduceRight<Filter>(
    (operand, scope) => ({ kind: 'scoped', operand, scope, start, end }),
    both,
  )
  const name = text.slice(column.start, column.end)
  const write = `(${text.slice(start, end)} and ${name} matches "^[-+]?[0-9.]+$")`
  return { column, filter, edit: { start, end, text: write } }
}
