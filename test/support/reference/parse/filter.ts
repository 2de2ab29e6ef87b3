// Filters (search-language#and-or-not, #scopes): words, tests, AND, OR, NOT, parentheses, and what
// a scope is about.
import type { Filter, Scope, Test } from '../tree.ts'
import type { Names } from './names.ts'
import type { Reader } from './reader.ts'
import { lastAt } from './relative.ts'
import { isScopeAt, parseScope } from './scope.ts'
import { parseTest } from './test.ts'

/** An OR of ANDs. */
type Groups = Filter[][]

/** Up to what cannot go on: a closing parenthesis, a `|`, the end. */
export function parseFilter(reader: Reader, names: Names): Filter {
  const whole: Groups = []
  for (let isAnd = false; ; ) {
    const { groups, isEnded } = parseScoped(reader, names)
    const [first = [], ...others] = groups
    if (isAnd) whole.at(-1)?.push(...first)
    else whole.push(first)
    whole.push(...others)
    if (!isEnded) break
    isAnd = reader.takesWords('and') || reader.afterWords('not') !== null
    if (!isAnd && !reader.takesWords('or')) break
  }
  return toFilter(whole)
}

function toFilter(groups: Groups): Filter {
  return combine(
    'or',
    groups.map((operands) => combine('and', operands)),
  )
}

function combine(kind: 'and' | 'or', operands: readonly Filter[]): Filter {
  const [only, second] = operands
  return only && !second ? only : { kind, operands }
}

/** A part with what ends it. Names are those of the logs in its scope. */
function parseScoped(reader: Reader, names: Names): { groups: Groups; isEnded: boolean } {
  const scope = findScope(reader)
  if (scope && !names.within) reader.refuse('a scope stands only before the first |')
  const own = (scope && names.within?.(scope)) ?? names
  const isBare = isEnding(reader)
  const groups: Groups = isBare ? [[{ kind: 'everything' }]] : parseOr(reader, own)
  if (!isEnding(reader)) return { groups, isEnded: false }
  if (!names.within) reader.refuse('in last stands only before the first |')
  let last = takesLast(reader)
  if (isScopeAt(reader, reader.at)) parseScope(reader)
  last ??= takesLast(reader)
  const plain = groups.length === 1 ? (groups[0] ?? []) : [toFilter(groups)]
  const isAll = plain.length === 1 && plain[0]?.kind === 'everything'
  const operands = last ? [...(isAll ? [] : plain), last] : plain
  const operand = combine('and', operands)
  const part: Filter = scope ? { kind: 'scoped', operand, scope } : operand
  return { groups: [scope || !last ? [part] : operands], isEnded: true }
}

/** The scope that the part at the place ends in, if it does. */
function findScope(reader: Reader): Scope | null {
  const start = reader.at
  let depth = 0
  let scope: Scope | null = null
  for (;;) {
    const token = reader.peek()
    const sign = token.kind === 'sign' ? token.sign : ''
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (token.kind === 'end' || sign === '|' || sign === ']' || depth < 0) break
    const last = depth === 0 ? lastAt(reader, token.start) : null
    if (last) reader.at = last.end
    if (depth === 0 && isScopeAt(reader, reader.at)) scope = parseScope(reader)
    if (last || scope) break
    reader.at = token.end
    if (token.kind === 'word' && token.keyword === 'in' && reader.isBracket())
      reader.takesBrackets()
  }
  reader.at = start
  return scope
}

function isEnding(reader: Reader): boolean {
  return isScopeAt(reader, reader.at) || placeOfLast(reader) !== null
}

/** Of `in last`, also after the name of the time. */
function placeOfLast(reader: Reader): number | null {
  const { at } = reader
  const places = [at, reader.afterWords('timestamp', at), reader.afterWords('date', at)]
  return places.find((place) => place !== null && lastAt(reader, place) !== null) ?? null
}

function takesLast(reader: Reader): Test | null {
  const place = placeOfLast(reader)
  const found = place === null ? null : lastAt(reader, place)
  if (!found) return null
  reader.at = found.end
  return found.test
}

function parseOr(reader: Reader, names: Names): Groups {
  const groups = [parseAnd(reader, names)]
  while (reader.takesWords('or')) groups.push(parseAnd(reader, names))
  return groups
}

function parseAnd(reader: Reader, names: Names): Filter[] {
  const operands = [parseNot(reader, names)]
  while (reader.takesWords('and') || isOperand(reader)) operands.push(parseNot(reader, names))
  return operands
}

function isOperand(reader: Reader): boolean {
  const token = reader.peek()
  if (isEnding(reader)) return false
  if (token.kind === 'word') return token.keyword !== 'or'
  return token.kind === 'quoted' || (token.kind === 'sign' && token.sign === '(')
}

function parseNot(reader: Reader, names: Names): Filter {
  if (isEnding(reader)) reader.refuse('a word or a test is expected before a scope')
  const after = reader.afterWords('not')
  if (after !== null && lastAt(reader, after)) reader.refuse('what is older is found with <')
  if (reader.takesWords('not')) return { kind: 'not', operand: parseNot(reader, names) }
  if (reader.takesSign('(')) {
    const inner = parseFilter(reader, names)
    reader.expectSign(')')
    return inner
  }
  return parseTest(reader, names) ?? parseTerm(reader)
}

function parseTerm(reader: Reader): Filter {
  const token = reader.peek()
  if (token.kind === 'quoted') {
    if (token.text === '') reader.refuse('the text between the quotation marks is empty')
    reader.at = token.end
    return { kind: 'phrase', text: token.text }
  }
  if (token.kind !== 'word' || ['and', 'or'].includes(token.keyword))
    return reader.refuse('a word or a test is expected')
  reader.at = token.end
  const { pattern } = token
  const isAll = pattern.every(({ kind }) => kind === 'run')
  return isAll ? { kind: 'everything' } : { kind: 'word', pattern }
}
