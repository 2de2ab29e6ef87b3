// A filter asked of one event before it is stored: the dataFilterQuery of a log, the drop rule of a
// listener account. It decides as a search of the stored event does (search-language#words,
// #column-tests); what needs the store, other events or an expression that could be made to hang is
// refused (docs/decisions/0100). Pure.
import { type BuiltInColumn, builtInColumn } from './built-in-columns.ts'
import { phraseRegexp, wordRegexp } from './compile/terms/term-regexp.ts'
import { passesCheck } from './compile/tests/check-text.ts'
import { refuseValues } from './compile/tests/refused-values.ts'
import { isNegative } from './compile/tests/test-sql.ts'
import { patternText } from './parse/input.ts'
import { parseQuery } from './parse/parse-query.ts'
import { raiseQuery } from './parse/raise-query.ts'
import { makeQueryCatalog } from './resolve/query-catalog.ts'
import type { And, Filter, Or, Test } from './tree.ts'

export type FilteredEvent = {
  /** Message and all values, with U+001F between them: where words are looked for. */
  text(): string
  message(): string
  /** By name in lower case: the first one that is not empty. */
  column(folded: string): FilteredValue | undefined
  readonly host: string
  readonly source: string
}

type FilteredValue = {
  readonly text: string
  /** It came as a number. */
  readonly isNumber: boolean
}

type EventFilter = (event: FilteredEvent) => boolean

/** What is known of an event beside its own columns when it is asked. */
export type KnownColumn = Extract<BuiltInColumn, 'message' | 'host' | 'source'>

/** Each event is asked all of them. */
const MAX_PARTS = 100

/** Throws Failure `search.query` { position, reason }. */
export function makeEventFilter(text: string, known: readonly KnownColumn[]): EventFilter {
  const { source, stages } = parseQuery(text, makeQueryCatalog([], new Map()))
  if (source.kind !== 'filterSource' || stages.length > 0)
    return raiseQuery('a filter is expected, without anything after a |', source.start)
  if (countParts(source.filter) > MAX_PARTS)
    return raiseQuery(`a filter of single events has at most ${MAX_PARTS} parts`, source.start)
  return new FilterMaker(text, known).make(source.filter)
}

function countParts(filter: Filter): number {
  if (filter.kind === 'not' || filter.kind === 'scoped') return 1 + countParts(filter.operand)
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.operands.reduce((sum, operand) => sum + countParts(operand), 1)
  if (filter.kind === 'test' && filter.check.kind === 'list') return filter.check.values.length
  return 1
}

function insideNot(operand: Filter | undefined): Filter | undefined {
  return operand?.kind === 'not' ? insideNot(operand.operand) : operand
}

class FilterMaker {
  readonly #text: string
  readonly #known: readonly KnownColumn[]

  constructor(text: string, known: readonly KnownColumn[]) {
    this.#text = text
    this.#known = known
  }

  make(filter: Filter): EventFilter {
    switch (filter.kind) {
      case 'everything':
        return () => true
      case 'word':
        return termFilter(wordRegexp(filter.pattern))
      case 'phrase':
        return termFilter(phraseRegexp(filter.text))
      case 'not': {
        const passes = this.make(filter.operand)
        return (event) => !passes(event)
      }
      case 'and': {
        const all = this.#operands(filter)
        return (event) => all.every((passes) => passes(event))
      }
      case 'or': {
        const some = this.#operands(filter)
        return (event) => some.some((passes) => passes(event))
      }
      case 'scoped':
        return raiseQuery(
          'a scope (in …) is not possible in a filter of single events, which have no log yet',
          filter.scope.start,
        )
      case 'test':
        return this.#test(filter)
    }
  }

  /** `Bytes Sent > 5` is a word and a test, or the test of one column where a log has it. */
  #operands({ kind, operands }: And | Or): readonly EventFilter[] {
    return operands.map((operand, at) => {
      const before = insideNot(operands[at - 1])
      const isOpen =
        kind === 'and' && operand.kind === 'test' && before?.kind === 'word'
          ? this.#text.slice(before.end, operand.start).trim() === '' &&
            /[\p{L}\p{N}]/u.test(patternText(before.pattern))
          : false
      if (isOpen && !/^["\\]|^column\.|^event\./i.test(this.#text.slice(operand.start)))
        return raiseQuery(
          'a word and a test have and between them here, and a column of several words stands in quotation marks',
          operand.start,
        )
      return this.make(operand)
    })
  }

  #test({ column, check }: Test): EventFilter {
    if (check.kind === 'matches')
      return raiseQuery(
        'matches is not possible in a filter of single events: contains, starts with and ends with are',
        column.start,
      )
    if (check.kind === 'subQuery' || check.kind === 'column')
      return raiseQuery('a value is expected in a filter of single events', column.start)
    const read = this.#reader(column)
    refuseValues(check)
    const isNegated = isNegative(check)
    return (event) => {
      const value = read(event)
      if (check.kind === 'exists') return (value === undefined) === isNegated
      // A test, negated or not, is of events that have the column.
      return value !== undefined && passesCheck(value.text, check, value.isNumber) !== isNegated
    }
  }

  #reader({ name, origin, start }: Test['column']): (event: FilteredEvent) => Value {
    const builtIn = origin === 'parsed' ? undefined : builtInColumn(name)
    const folded = name.toLowerCase()
    if (builtIn === undefined)
      return origin === 'parsed'
        ? (event) => event.column(folded) ?? event.column(`column.${folded}`)
        : (event) => event.column(folded)
    const column = this.#known.find((known) => known === builtIn)
    if (column === undefined)
      return raiseQuery(
        `${name} is known of an event only when it is stored, ${this.#known.join(', ')} and the columns of the event are known here; column.${name} is a column`,
        start,
      )
    if (column === 'message') return (event) => textValue(event.message())
    return (event) => textValue(event[column])
  }
}

type Value = FilteredValue | undefined

function textValue(text: string): Value {
  return text === '' ? undefined : { text, isNumber: false }
}

const RUN = '[^\\t-\\r \\x{85}\\x{FEFF}\\p{Z}\\x{1F}]*'
const WORD = '[\\p{L}\\p{Nd}_]'
/** Beside the first and the last character, and no part of what is found. */
const ENDS: readonly (readonly [string, string])[] = [
  ['(?:^|[^\\p{L}\\p{Nd}_])', `(?<!${WORD})`],
  ['(?:$|[^\\p{L}\\p{Nd}_])', `(?!${WORD})`],
]
/** What no word reaches over. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+001F separates the values of an event
const BETWEEN = /[\t-\r \u0085\ufeff\p{Z}\u001f]+/u

/** The expression of the store, in the spelling of this language. What `*` stands for is not a part
 *  of it: an expression with it takes a time that grows with the square of a text. */
function termFilter(re2: string): EventFilter {
  const [first, ...more] = re2
    .split(RUN)
    .filter((part) => part !== '')
    .map((part) => new RegExp(inOurSpelling(part), 'gu'))
  if (first === undefined) return () => true
  if (more.length > 0) {
    const parts = [first, ...more]
    return (event) =>
      event
        .text()
        .split(BETWEEN)
        .some((run) => holdsInOrder(run, parts))
  }
  return (event) => finds(first, event.text(), 0)
}

function inOurSpelling(re2: string): string {
  return ENDS.reduce((text, [end, own]) => text.replaceAll(end, own), re2).replaceAll(
    '\\x{',
    '\\u{',
  )
}

/** Each part has one length: where the first one is found earliest, the others have most room. */
function holdsInOrder(text: string, parts: readonly RegExp[]): boolean {
  let from = 0
  return parts.every((part) => {
    const isFound = finds(part, text, from)
    from = part.lastIndex
    return isFound
  })
}

function finds(part: RegExp, text: string, from: number): boolean {
  part.lastIndex = from
  return part.test(text)
}
