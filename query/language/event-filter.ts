// A filter as a test of one event before it is stored: a log's dataFilterQuery. What it says of
// words and columns is what a search says of them (search-language#words, #column-tests); what
// needs a store is refused: scopes, sub-queries, regular expressions, times. Pure.

import { foldCase } from '../../schemas/store/text-index.ts'
import { builtInColumn } from './built-in-columns.ts'
import { phraseRegexp, wholeRegexp, wordRegexp } from './compile/terms/term-regexp.ts'
import { isOrdered } from './compile/tests/check-text.ts'
import { priorityRank } from './compile/tests/priority.ts'
import { raiseQuery } from './parse/raise-query.ts'
import { readQuery } from './read-query.ts'
import type { Check, CompareOperator, Filter, Pattern, Test, Value } from './tree.ts'

/** What is known of an event when it is read. */
type FilteredEvent = {
  /** The message, then the values of its columns. */
  readonly texts: readonly string[]
  /** Letter case of the name is ignored; undefined: it has none. */
  column(folded: string): string | undefined
}

type EventFilter = (event: FilteredEvent) => boolean

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i

/** Throws Failure `search.query` { position, reason }. */
export function makeEventFilter(text: string): EventFilter {
  const { query } = readQuery({ text, visibleLogs: [], columns: new Map() })
  const { source, stages } = query
  if (source.kind !== 'filterSource' || stages.length > 0)
    return raiseQuery('a filter is expected, without anything after a |', source.start)
  return filterOf(source.filter)
}

function filterOf(filter: Filter): EventFilter {
  switch (filter.kind) {
    case 'everything':
      return () => true
    case 'word':
      return inTexts(toRegExp(wordRegexp(filter.pattern)))
    case 'phrase':
      return inTexts(toRegExp(phraseRegexp(filter.text)))
    case 'not': {
      const passes = filterOf(filter.operand)
      return (event) => !passes(event)
    }
    case 'and': {
      const all = filter.operands.map(filterOf)
      return (event) => all.every((passes) => passes(event))
    }
    case 'or': {
      const some = filter.operands.map(filterOf)
      return (event) => some.some((passes) => passes(event))
    }
    case 'scoped':
      return raiseQuery('a scope (in …) is not possible in a filter of what is read', filter.start)
    case 'test':
      return testOf(filter)
  }
}

function inTexts(expression: RegExp): EventFilter {
  return ({ texts }) => texts.some((text) => expression.test(text))
}

/** RE2's writing of characters by code, and of any character. */
function toRegExp(re2: string): RegExp {
  return new RegExp(
    re2.replace(/\\x\{([0-9A-F]+)\}/gi, '\\u{$1}').replace(/\(\?s:\.(\*?)\)/g, '[\\s\\S]$1'),
    'u',
  )
}

function testOf({ column, check }: Test): EventFilter {
  const folded = foldCase(column.name)
  const builtIn = column.origin === 'parsed' ? undefined : builtInColumn(column.name)
  if (builtIn !== undefined && folded !== 'message')
    return raiseQuery(
      'only the message and columns of the pattern can be tested here; column.x is a column of the pattern',
      column.start,
    )
  const read = (event: FilteredEvent) =>
    builtIn === undefined ? event.column(folded) : event.texts[0]
  const isNegated =
    check.kind === 'compare' ? check.operator === '!=' : 'isNegated' in check && check.isNegated
  if (check.kind === 'exists') return (event) => (read(event) === undefined) === isNegated
  const passes = checkOf(check, column.start)
  return (event) => {
    const value = read(event)
    return value !== undefined && passes(value) !== isNegated
  }
}

/** Without its negation, of a value that is there. */
function checkOf(check: Check, start: number): (value: string) => boolean {
  switch (check.kind) {
    case 'compare':
      return compare(check.operator === '!=' ? '=' : check.operator, check.value)
    case 'list': {
      const each = check.values.map((value) => compare('=', value))
      return (value) => each.some((passes) => passes(value))
    }
    case 'between': {
      const [low, high] = [compare('>=', check.low), compare('<=', check.high)]
      return (value) => low(value) && high(value)
    }
    case 'text': {
      const given = foldCase(textOf(check.value.pattern))
      if (check.operator === 'contains') return (value) => foldCase(value).includes(given)
      return check.operator === 'starts with'
        ? (value) => foldCase(value).startsWith(given)
        : (value) => foldCase(value).endsWith(given)
    }
    case 'column':
    case 'matches':
    case 'within':
    case 'exists':
    case 'subQuery':
      return raiseQuery('this test is not possible in a filter of what is read', start)
  }
}

function compare(operator: CompareOperator, { pattern }: Value): (value: string) => boolean {
  if (operator === '=' && pattern.some(({ kind }) => kind !== 'text')) {
    const expression = toRegExp(wholeRegexp(pattern))
    return (value) => expression.test(value)
  }
  const given = textOf(pattern)
  const folded = foldCase(given)
  return (value) => isOrdered(orderOf(value, given, folded, operator), operator)
}

function orderOf(value: string, given: string, folded: string, operator: CompareOperator): number {
  if (NUMBER.test(value) && NUMBER.test(given)) return Number(value) - Number(given)
  const own = foldCase(value)
  const [rank, other] = [priorityRank(own), priorityRank(folded)]
  if (operator !== '=' && rank !== undefined && other !== undefined) return rank - other
  return Buffer.compare(Buffer.from(own), Buffer.from(folded))
}

function textOf(pattern: Pattern): string {
  return pattern
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'run' ? '*' : '?'))
    .join('')
}
