// Column tests (search-language#column-tests, #two-columns): which words are the column, the
// operator, the values.

import { checkRegExp } from '../regexp.ts'
import { BUILT_INS } from '../scopes.ts'
import { patternText } from '../text.ts'
import type { Check, ColumnRef, CompareOperator, Test, Value } from '../tree.ts'
import { checkBare, type Names, namesAt } from './names.ts'
import type { Reader } from './reader.ts'
import { takesRelative } from './relative.ts'

const SIGNS: readonly string[] = ['=', '!=', '<', '<=', '>', '>=']
const PLAIN = ['contains', 'matches', 'within', 'exists', 'starts with', 'ends with']

/** null: here stands no test. */
export function parseTest(reader: Reader, names: Names): Test | null {
  const column = takesColumn(reader, names)
  if (column === null) return null
  const isRaw = names.rows === 'events' && column.name.toLowerCase() === 'raw'
  if (isRaw && column.origin !== 'parsed') reader.refuse('raw may be shown, not tested')
  return { kind: 'test', column, check: parseCheck(reader, column, names) }
}

function isOperator(reader: Reader, at: number): boolean {
  const token = reader.peek(at)
  if (token.kind === 'sign') return SIGNS.includes(token.sign)
  if (reader.afterWords('between', at) !== null) return true
  const after = reader.afterWords('not', at) ?? at
  return PLAIN.some((words) => reader.afterWords(words, after) !== null) || isList(reader, after)
}

/** `in (` and `in [` */
function isList(reader: Reader, at: number): boolean {
  const after = reader.afterWords('in', at)
  return after !== null && (reader.isSign('(', after) || reader.isBracket(after))
}

/** The words before an operator that are a column: the longest name that is known, else one. */
function takesColumn(reader: Reader, names: Names): ColumnRef | null {
  const token = reader.peek()
  const outright = takesOutright(reader, names)
  if (outright) return outright
  if (token.kind === 'quoted') {
    if (!isOperator(reader, token.end)) return null
    reader.at = token.end
    return columnOf(token.text)
  }
  if (token.kind !== 'word') return null
  const own = { name: patternText(token.pattern), end: token.end }
  const found = [...namesAt(reader, token.start, names), own].find(({ end }) =>
    isOperator(reader, end),
  )
  if (!found || ['and', 'or', 'not', 'in'].includes(token.keyword)) return null
  if (found === own && reader.text.startsWith('{', token.start))
    reader.refuse('labels in braces are not known')
  reader.at = found.end
  return columnOf(found.name)
}

function columnOf(name: string, origin: ColumnRef['origin'] = 'any'): ColumnRef {
  return { kind: 'column', name, origin }
}

/** `column.x` and `event.x` before an operator. */
function takesOutright(reader: Reader, names: Names): ColumnRef | null {
  const start = reader.at
  const quoted = takesPrefixedText(reader)
  if (quoted) {
    if (!isOperator(reader, reader.at)) reader.refuse('an operator is expected')
    return quoted
  }
  const builtIn = takesBuiltIn(reader)
  if (builtIn && isOperator(reader, reader.at)) return builtIn
  reader.at = start
  if (!reader.match(/\s*column\./iy)) return null
  const first = reader.at
  const known = namesAt(reader, first, names).find(({ end }) => isOperator(reader, end))
  let end = known?.end ?? first
  while (!isOperator(reader, end)) {
    const token = reader.peek(end)
    if (token.kind !== 'word' || ['and', 'or', 'not'].includes(token.keyword)) {
      reader.at = start
      return null
    }
    end = token.end
  }
  const name = reader.text.slice(first, end).trim().replace(/\s+/g, ' ')
  checkBare(reader, names, name)
  reader.at = end
  return columnOf(name, 'parsed')
}

/** `column."x y"` */
export function takesPrefixedText(reader: Reader): ColumnRef | null {
  const prefix = reader.match(/\s*(column|event)\.(?=")/iy)
  if (!prefix) return null
  const isBuiltIn = prefix[1]?.toLowerCase() === 'event'
  return columnOf(reader.expectQuoted('a name'), isBuiltIn ? 'builtIn' : 'parsed')
}

/** `event.host`; `event.action` is a name like others. */
function takesBuiltIn(reader: Reader): ColumnRef | null {
  const start = reader.at
  const found = reader.match(/\s*event\.(\w+)(?![^\s(),|=<>!\]])/iy)
  if (found && BUILT_INS.has(found[1]?.toLowerCase() ?? ''))
    return columnOf(found[1] ?? '', 'builtIn')
  reader.at = start
  return null
}

function parseCheck(reader: Reader, column: ColumnRef, names: Names): Check {
  const isTime =
    column.origin !== 'parsed' && BUILT_INS.get(column.name.toLowerCase()) === 'timestamp'
  const value = () => parseValue(reader, isTime)
  const token = reader.peek()
  if (token.kind === 'sign') {
    reader.at = token.end
    return parseComparison(reader, token.sign as CompareOperator, names, value)
  }
  if (reader.takesWords('between')) {
    const low = parsePresent(reader, value)
    if (!reader.takesWords('and')) reader.refuse('and with the upper end is expected')
    return { kind: 'between', low, high: parsePresent(reader, value) }
  }
  const isNegated = reader.takesWords('not')
  if (reader.takesWords('exists')) return { kind: 'exists', isNegated }
  for (const operator of ['contains', 'starts with', 'ends with'] as const)
    if (reader.takesWords(operator)) return { kind: 'text', operator, isNegated, value: value() }
  if (reader.takesWords('matches')) {
    const expression = value()
    checkRegExp(patternText(expression.pattern))
    return { kind: 'matches', isNegated, value: expression }
  }
  if (reader.takesWords('within')) return { kind: 'within', isNegated, value: value() }
  reader.takesWords('in')
  if (reader.isBracket())
    return { kind: 'subQuery', isNegated, query: names.parseInner(reader.takesBrackets()).query }
  reader.expectSign('(')
  const values: Value[] = []
  do values.push(parsePresent(reader, value))
  while (reader.takesSign(','))
  reader.expectSign(')')
  return { kind: 'list', isNegated, values }
}

function parseComparison(
  reader: Reader,
  operator: CompareOperator,
  names: Names,
  value: () => Value,
): Check {
  if (reader.takesWords('null')) {
    if (operator === '=' || operator === '!=')
      return { kind: 'exists', isNegated: operator === '=' }
    reader.refuse('null stands only after = and !=')
  }
  const column = takesPrefixedText(reader) ?? takesBuiltIn(reader) ?? takesNamed(reader, names)
  if (column) return { kind: 'column', operator, column }
  return { kind: 'compare', operator, value: value() }
}

/** `column.` and the longest name that is known, else a word. */
function takesNamed(reader: Reader, names: Names): ColumnRef | null {
  if (!reader.match(/\s*column\.(?=[^\s(),|=<>])/iy)) return null
  const [known] = namesAt(reader, reader.at, names)
  const token = reader.peek()
  reader.at = known?.end ?? token.end
  return columnOf(
    known?.name ?? (token.kind === 'word' ? patternText(token.pattern) : ''),
    'parsed',
  )
}

/** Anything but `null`. */
function parsePresent(reader: Reader, value: () => Value): Value {
  if (reader.afterWords('null') !== null) reader.refuse('null stands only after = and !=')
  return value()
}

function parseValue(reader: Reader, isTime: boolean): Value {
  const relative = takesRelative(reader, isTime)
  if (relative !== null) return { isQuoted: false, pattern: [{ kind: 'text', text: relative }] }
  const token = reader.peek()
  if (token.kind === 'quoted') {
    reader.at = token.end
    const { text } = token
    return { isQuoted: true, pattern: text === '' ? [] : [{ kind: 'text', text }] }
  }
  if (token.kind !== 'word' || ['and', 'or', 'not', 'in'].includes(token.keyword))
    return reader.refuse('a value is expected')
  reader.at = token.end
  return { isQuoted: false, pattern: token.pattern }
}
