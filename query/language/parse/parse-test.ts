// Column tests (search-language#column-tests): finding where a test begins, and reading operator
// and values.

import { builtInColumn } from '../built-in-columns.ts'
import type { ColumnNames } from '../column-names.ts'
import type { Check, ColumnOrigin, ColumnRef, CompareOperator, Test, Value } from '../tree.ts'
import { comparedColumn } from './compared-column.ts'
import { raiseAtBrace } from './foreign-symbols.ts'
import { type Input, isSpace, patternText, type Token, type WordToken } from './input.ts'
import type { ParseContext } from './parse-context.ts'
import { joinedTime } from './relative-value.ts'

/**
 * The run of bare words looked at last: words from `from` to `operatorAt` are decided, the column
 * starts at `columnAt` (none: at `operatorAt`). Kept so that a long run is read once.
 */
export type TestRun = { from: number; operatorAt: number; columnAt: number }

const MAX_COLUMN_WORDS = 64
const OUTRIGHT = /^(column|event)\./

/** The column, if a test begins at the next token; the input then stands at the operator. */
export function findTest(
  context: ParseContext,
  names: ColumnNames,
  run: TestRun,
): ColumnRef | undefined {
  const { input } = context
  const token = input.token()
  if (token.kind === 'quoted') {
    if (token.text === '' || !isOperatorAt(input, token.end)) return undefined
    return takeColumn(input, token.start, token.end, token.text, 'any')
  }
  return (
    findOutrightQuoted(input) ??
    findParenthesized(input, names) ??
    (token.kind === 'word' ? findInRun(input, names, run, token) : undefined)
  )
}

/** `column."Bytes Sent" > 100` */
function findOutrightQuoted(input: Input): ColumnRef | undefined {
  const prefix = input.token()
  if (prefix.kind !== 'word' || input.text.charAt(prefix.end) !== '"') return undefined
  const origin = originOf(prefix.keyword.slice(0, -1))
  if (origin === undefined || !prefix.keyword.endsWith('.')) return undefined
  const name = input.token(prefix.end)
  if (name.kind !== 'quoted') return undefined
  if (!isOperatorAt(input, name.end)) input.raise('an operator is expected', name.end)
  return takeColumn(input, prefix.start, name.end, name.text, origin)
}

export function originOf(prefix: string): ColumnOrigin | undefined {
  if (prefix === 'column') return 'parsed'
  return prefix === 'event' ? 'builtIn' : undefined
}

/** A known name with parentheses is tried first. */
function findParenthesized(input: Input, names: ColumnNames): ColumnRef | undefined {
  const token = input.token()
  const isParenthesis = token.kind === 'symbol' && token.symbol === '('
  if (token.kind !== 'word' && !isParenthesis) return undefined
  const firstWord = token.kind === 'word' ? token.keyword : ''
  for (const name of names.withParentheses(firstWord)) {
    const end = matchName(input.text, token.start, name)
    if (end !== undefined && isOperatorAt(input, end)) {
      const written = input.text.slice(token.start, end).replace(/\s+/g, ' ')
      return takeColumn(input, token.start, end, written, 'any')
    }
  }
  return undefined
}

/** Where the (lower-case) name that stands at `start` ends; runs of white space are equal. */
function matchName(text: string, start: number, name: string): number | undefined {
  let at = start
  for (let index = 0; index < name.length; index += 1) {
    const expected = name.charAt(index)
    if (isSpace(expected)) {
      const from = at
      while (at < text.length && isSpace(text.charAt(at))) at += 1
      if (at === from) return undefined
    } else {
      if (text.charAt(at).toLowerCase() !== expected) return undefined
      at += 1
    }
  }
  return at
}

function findInRun(
  input: Input,
  names: ColumnNames,
  run: TestRun,
  token: WordToken,
): ColumnRef | undefined {
  if (token.start < run.from || token.start >= run.operatorAt) measureRun(input, names, run, token)
  if (token.start < run.columnAt) return undefined
  const end = run.operatorAt
  const words = wordsBetween(input, token.start, end)
  const name = words.map((word) => patternText(word.pattern)).join(' ')
  const last = words.at(-1)
  if (!last) return undefined
  const outright = OUTRIGHT.exec(token.keyword)
  if (outright && !names.has(name)) {
    const origin = originOf(outright[1] ?? '')
    const bare = name.slice(outright[0].length)
    const isBuiltIn = builtInColumn(bare) !== undefined
    if (origin && bare !== '' && (origin === 'parsed' || isBuiltIn)) {
      return takeColumn(input, token.start, last.end, bare, origin)
    }
  }
  if (input.text.startsWith('{', token.start) && !names.has(name)) raiseAtBrace(input, token.start)
  return takeColumn(input, token.start, last.end, name, 'any')
}

/** Reads the run of bare words that begins at `first` and decides which of them are the column. */
function measureRun(input: Input, names: ColumnNames, run: TestRun, first: WordToken): void {
  const words: WordToken[] = []
  let at = first.start
  for (;;) {
    const token = input.token(at)
    const isOperator = words.length > 0 && isOperatorAt(input, at)
    if (isOperator || token.kind !== 'word' || isKeyword(token)) {
      run.from = first.start
      run.operatorAt = Math.max(token.start, first.end)
      run.columnAt = isOperator ? columnStart(names, words) : run.operatorAt
      return
    }
    words.push(token)
    at = token.end
  }
}

function isKeyword({ keyword }: WordToken): boolean {
  return keyword === 'and' || keyword === 'or' || keyword === 'not' || keyword === 'in'
}

/** Said outright, else the longest known ending, else the last word. */
function columnStart(names: ColumnNames, words: readonly WordToken[]): number {
  const last = words.at(-1)
  let start = last?.start ?? 0
  let name = ''
  const nearest = words.slice(-MAX_COLUMN_WORDS)
  for (const word of nearest.toReversed()) {
    name = name === '' ? patternText(word.pattern) : `${patternText(word.pattern)} ${name}`
    if (isSaidOutright(word, name)) return word.start
    if (names.has(name)) start = word.start
  }
  return start
}

function isSaidOutright(word: WordToken, name: string): boolean {
  if (!word.keyword.startsWith('event.')) {
    return word.keyword.startsWith('column.') && word.keyword.length > 'column.'.length
  }
  return builtInColumn(name.slice('event.'.length)) !== undefined
}

function wordsBetween(input: Input, start: number, end: number): WordToken[] {
  const words: WordToken[] = []
  for (let token = input.token(start); token.kind === 'word' && token.end <= end; ) {
    words.push(token)
    token = input.token(token.end)
  }
  return words
}

function takeColumn(
  input: Input,
  start: number,
  end: number,
  name: string,
  origin: ColumnOrigin,
): ColumnRef {
  input.position = end
  return { kind: 'column', start, end, name, origin }
}

// ---------- operators ----------

const COMPARE_OPERATORS: ReadonlyMap<string, CompareOperator> = new Map<string, CompareOperator>([
  ['=', '='],
  ['!=', '!='],
  ['>', '>'],
  ['>=', '>='],
  ['<', '<'],
  ['<=', '<='],
])
const WORD_OPERATORS: readonly (readonly string[])[] = [
  ['contains'],
  ['not', 'contains'],
  ['starts', 'with'],
  ['not', 'starts', 'with'],
  ['ends', 'with'],
  ['not', 'ends', 'with'],
  ['matches'],
  ['not', 'matches'],
  ['between'],
  ['within'],
  ['not', 'within'],
  ['exists'],
  ['not', 'exists'],
]
const OPERATOR_STARTS = new Set(WORD_OPERATORS.map(([first]) => first))

function isOperatorAt(input: Input, from: number): boolean {
  const token = input.token(from)
  if (token.kind === 'symbol') return COMPARE_OPERATORS.has(token.symbol)
  if (token.kind !== 'word') return false
  if (listStart(input, from) !== undefined) return true
  if (!OPERATOR_STARTS.has(token.keyword)) return false
  return WORD_OPERATORS.some((words) => input.keywordsEnd(from, words) !== undefined)
}

/** Where the `(` or `[` of `in (`, `not in (`, `in [` stands. */
function listStart(input: Input, from: number): number | undefined {
  const end = input.keywordsEnd(from, ['in']) ?? input.keywordsEnd(from, ['not', 'in'])
  if (end === undefined) return undefined
  const at = input.skipSpace(end)
  const character = input.text.charAt(at)
  return character === '(' || character === '[' ? at : undefined
}

/** The operator and its values; the input stands at the operator. */
export function parseTest(context: ParseContext, column: ColumnRef, names: ColumnNames): Test {
  const isTime = column.origin !== 'parsed' && builtInColumn(column.name) === 'timestamp'
  const check = parseCheck(context, { isTime, names })
  return { kind: 'test', start: column.start, end: context.input.position, column, check }
}

type ValueKind = { readonly isTime: boolean; readonly names?: ColumnNames }

function parseCheck(context: ParseContext, kind: ValueKind): Check {
  const { input } = context
  const token = input.token()
  const operator = token.kind === 'symbol' ? COMPARE_OPERATORS.get(token.symbol) : undefined
  if (operator) {
    input.take(token)
    return parseCompare(input, operator, kind)
  }
  const open = listStart(input, input.position)
  const isNegated = input.takeKeyword('not')
  if (open !== undefined) {
    input.position = open + 1
    return input.text.charAt(open) === '('
      ? parseList(input, isNegated, kind)
      : parseSubQuery(context, isNegated)
  }
  if (input.takeKeyword('exists')) return { kind: 'exists', isNegated }
  if (input.takeKeyword('matches')) return { kind: 'matches', isNegated, value: parseValue(input) }
  if (input.takeKeyword('within')) return { kind: 'within', isNegated, value: parseValue(input) }
  if (input.takeKeyword('between')) return parseBetween(input, kind)
  if (input.takeKeyword('contains')) {
    return { kind: 'text', operator: 'contains', isNegated, value: parseValue(input) }
  }
  const isStart = input.takeKeyword('starts')
  if (!isStart) input.takeKeyword('ends')
  input.takeKeyword('with')
  const textOperator = isStart ? 'starts with' : 'ends with'
  return { kind: 'text', operator: textOperator, isNegated, value: parseValue(input) }
}

function parseCompare(input: Input, operator: CompareOperator, kind: ValueKind): Check {
  if (input.isKeyword('null')) {
    if (operator !== '=' && operator !== '!=') input.raise('null stands only after = and !=')
    input.takeKeyword('null')
    return { kind: 'exists', isNegated: operator === '=' }
  }
  const column = kind.names && comparedColumn(input, kind.names)
  if (column !== undefined) return { kind: 'column', operator, column }
  return { kind: 'compare', operator, value: parseValue(input, kind) }
}

function parseBetween(input: Input, kind: ValueKind): Check {
  const low = parsePresent(input, kind)
  if (!input.takeKeyword('and')) input.raise('and with the upper end is expected')
  return { kind: 'between', low, high: parsePresent(input, kind) }
}

function parsePresent(input: Input, kind: ValueKind): Value {
  if (input.isKeyword('null')) input.raise('null stands only after = and !=')
  return parseValue(input, kind)
}

function parseList(input: Input, isNegated: boolean, kind: ValueKind): Check {
  const values: Value[] = []
  do values.push(parsePresent(input, kind))
  while (input.takeSymbol(','))
  input.expectSymbol(')', 'a comma or ) is expected')
  return { kind: 'list', isNegated, values }
}

function parseSubQuery(context: ParseContext, isNegated: boolean): Check {
  const { input } = context
  const query = input.bracketed(() => {
    const inside = context.parseQuery(context)
    input.expectSymbol(']', 'the bracket is not closed')
    return inside.query
  })
  return { kind: 'subQuery', isNegated, query }
}

/** `==` and `<>`, of which the first character was read. */
function foreignCompare(input: Input, { start, end }: Token): string {
  const both = input.text.slice(start - 1, end)
  if (both === '==') return ': == is written ='
  return both === '<>' ? ': <> is written !=' : ''
}

/** `status = (404 or 500)`. */
function foreignList(input: Input, { start }: Token): string {
  const isList = input.text.charAt(start) === '(' && /=\s*$/.test(input.text.slice(0, start))
  return isList ? ': several values are written column in (a, b)' : ''
}

/** One word (not and, or, not, in), a quoted text, or a time such as `now - 2h`. */
function parseValue(input: Input, kind: ValueKind = { isTime: false }): Value {
  const token = input.token()
  const { start, end } = token
  if (token.kind === 'quoted') {
    input.take(token)
    const pattern = token.text === '' ? [] : [{ kind: 'text' as const, text: token.text }]
    return { kind: 'value', start, end, isQuoted: true, pattern }
  }
  if (token.kind !== 'word')
    return input.raise(
      `a value is expected${foreignCompare(input, token)}${foreignList(input, token)}`,
    )
  if (['and', 'or', 'not', 'in'].includes(token.keyword)) {
    return input.raise(`a value is expected, quote ${token.keyword} to compare with it`)
  }
  const time = joinedTime(input, token, kind)
  if (time !== undefined) {
    input.take(time)
    const pattern = [{ kind: 'text' as const, text: time.text }]
    return { kind: 'value', start, end: time.end, isQuoted: false, pattern }
  }
  input.take(token)
  return { kind: 'value', start, end, isQuoted: false, pattern: token.pattern }
}
