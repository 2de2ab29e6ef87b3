// A query in brackets, whose first column is compared: what it begins and ends with.
import { patternText } from '../parse/input.ts'
import { printColumn } from '../print/print-words.ts'
import type { ColumnRef, Filter, Query, Span, Stage } from '../tree.ts'
import type { Doubt } from './neighbours.ts'

/** After them the first column is one that the query names. */
const NAMING: ReadonlySet<Stage['kind']> = new Set([
  'list',
  'display',
  'functions',
  'groupBy',
  'datastream',
  'transpose',
  'join',
])

/** `user in [ search status = 503 | list user ]`, `user in [ status = 503 ]`. */
export function doubtsOfBrackets(
  column: ColumnRef,
  query: Query,
): readonly { readonly doubt: Doubt; readonly at: Span }[] {
  const found: { doubt: Doubt; at: Span }[] = []
  const search = searchBefore(query)
  if (search !== undefined) {
    const { start, end } = search
    const message =
      "'search' is searched as a word: a query in brackets begins with its words and tests"
    // With the space after it.
    const edit = { start, end: end + 1, text: '' }
    found.push({ doubt: { code: 'query.searched_word', message, edit }, at: search })
  }
  const isEvents =
    query.source.kind === 'filterSource' && !query.stages.some(({ kind }) => NAMING.has(kind))
  if (isEvents && column.name.toLowerCase() !== 'timestamp') {
    const list = `| list ${printColumn(column)}`
    const message = `the first column of a query in brackets is compared, of events that is timestamp: write ${list} at its end`
    const edit = { start: query.end, end: query.end, text: ` ${list}` }
    found.push({ doubt: { code: 'query.other_language', message, edit }, at: query })
  }
  return found
}

function searchBefore({ source }: Query): Span | undefined {
  if (source.kind !== 'filterSource') return undefined
  const first = firstOf(source.filter)
  const isSearch = first?.kind === 'word' && patternText(first.pattern).toLowerCase() === 'search'
  return isSearch && first.end < source.end ? first : undefined
}

function firstOf(filter: Filter): Filter | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands[0] && firstOf(filter.operands[0])
    case 'scoped':
      return firstOf(filter.operand)
    case 'not':
    case 'word':
    case 'phrase':
    case 'test':
    case 'everything':
      return filter
  }
}
