// A filter of the search language asked of one event before it is stored: drop rules of listener
// accounts (docs/decisions/0090). The same rules as in a search, for what an event has by itself:
// words, phrases, and tests of its columns, message, host and source. Pure.
import { isFailure } from '../../../schemas/failures.ts'
import { builtInColumn } from '../built-in-columns.ts'
import { phraseRegexp, wordRegexp } from '../compile/terms/term-regexp.ts'
import { passesCheck } from '../compile/tests/check-text.ts'
import { parseQuery } from '../parse/parse-query.ts'
import { makeQueryCatalog } from '../resolve/query-catalog.ts'
import type { Check, Filter, Pattern, Test } from '../tree.ts'

export type FilterRow = {
  /** Message and values of the columns, with U+001F between them: where words are looked for. */
  text(): string
  /** By name in lower case; undefined or '': the event has none. */
  column(name: string): string | undefined
  readonly host: string
  readonly source: string
  message(): string
}

export type RowFilter = (row: FilterRow) => boolean

/** Longer ones would be dear for every event. */
const MAX_PARTS = 100

/** A text: why it cannot be asked of an event before it is stored. */
export function makeRowFilter(text: string): RowFilter | string {
  try {
    const query = parseQuery(text, makeQueryCatalog([], new Map()))
    if (query.stages.length > 0 || query.source.kind !== 'filterSource')
      return 'must be a filter, without anything after a |'
    const { filter } = query.source
    const fault = findFault(filter) ?? (countParts(filter) > MAX_PARTS ? TOO_LONG : undefined)
    if (fault !== undefined) return fault
    const compiled = compile(filter)
    // What is wrong with a value shows when it is asked.
    compiled({ text: () => 'x', message: () => 'x', column: () => 'x', host: 'x', source: 'x' })
    return compiled
  } catch (error) {
    if (isFailure(error)) return error.message
    throw error
  }
}

const TOO_LONG = `has more than ${MAX_PARTS} parts`

/** What needs other events, the store or an expression that could be made to hang. */
function findFault(filter: Filter): string | undefined {
  switch (filter.kind) {
    case 'scoped':
      return 'has a scope: it is asked of the events of this account, which have no log yet'
    case 'everything':
      return 'selects everything: disable the account instead'
    case 'word':
      return hasSeveralRuns(filter.pattern) ? 'has a word with more than one *' : undefined
    case 'phrase':
      return undefined
    case 'not':
      return findFault(filter.operand)
    case 'and':
    case 'or':
      return filter.operands.map(findFault).find((fault) => fault !== undefined)
    case 'test':
      return findTestFault(filter)
  }
}

function findTestFault({ column, check }: Test): string | undefined {
  if (check.kind === 'matches') return 'has matches: use contains, starts with or ends with'
  if (check.kind === 'subQuery' || check.kind === 'column')
    return 'compares with something else than a value'
  const builtIn = column.origin === 'parsed' ? undefined : builtInColumn(column.name)
  if (builtIn === undefined || ['host', 'source', 'message'].includes(builtIn)) return undefined
  return `tests ${column.name}, which an event has only when it is stored`
}

function hasSeveralRuns(pattern: Pattern): boolean {
  return pattern.filter(({ kind }) => kind === 'run').length > 1
}

function countParts(filter: Filter): number {
  if (filter.kind === 'not' || filter.kind === 'scoped') return 1 + countParts(filter.operand)
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.operands.reduce((sum, operand) => sum + countParts(operand), 1)
  return 1
}

function compile(filter: Filter): RowFilter {
  switch (filter.kind) {
    case 'word':
      return termFilter(wordRegexp(filter.pattern))
    case 'phrase':
      return termFilter(phraseRegexp(filter.text))
    case 'not': {
      const inner = compile(filter.operand)
      return (row) => !inner(row)
    }
    case 'and': {
      const all = filter.operands.map(compile)
      return (row) => all.every((one) => one(row))
    }
    case 'or': {
      const any = filter.operands.map(compile)
      return (row) => any.some((one) => one(row))
    }
    case 'test':
      return testFilter(filter)
    case 'everything':
    case 'scoped':
      return () => false
  }
}

/** The expression of the store, in the spelling of this language. */
function termFilter(re2: string): RowFilter {
  const regexp = new RegExp(re2.replaceAll('\\x{', '\\u{'), 'u')
  return (row) => regexp.test(row.text())
}

function testFilter({ column, check }: Test): RowFilter {
  const builtIn = column.origin === 'parsed' ? undefined : builtInColumn(column.name)
  const name = column.name.toLowerCase()
  const textOf = (row: FilterRow): string => {
    if (builtIn === 'message') return row.message()
    if (builtIn === 'host') return row.host
    if (builtIn === 'source') return row.source
    return row.column(name) ?? ''
  }
  const isNegated = isNegatedCheck(check)
  return (row) => {
    const value = textOf(row)
    if (check.kind === 'exists') return (value !== '') !== isNegated
    // A test, negated or not, is of events that have the column.
    return value !== '' && passesCheck(value, check) !== isNegated
  }
}

function isNegatedCheck(check: Check): boolean {
  if (check.kind === 'compare') return check.operator === '!='
  return 'isNegated' in check && check.isNegated
}
