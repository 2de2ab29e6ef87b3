// Filters: words, phrases, column tests, and/or/not, parentheses and scopes (search-language#words,
// #column-tests, #grammar). Recursive descent.
import type { ColumnNames } from '../column-names.ts'
import type { And, Filter, Or, Scope, Test } from '../tree.ts'
import { raiseAtSymbol } from './foreign-symbols.ts'
import type { Token } from './input.ts'
import type { ParseContext } from './parse-context.ts'
import { isLastAhead, parseLast } from './parse-last.ts'
import { findScopes, isScopeAhead, parsePartEnd } from './parse-scope.ts'
import { findTest, parseTest, type TestRun } from './parse-test.ts'

type FilterContext = ParseContext & {
  /** null: a filter without scopes (`where`, `if`). */
  readonly scopeOfPart: ReadonlyMap<number, Scope> | null
  readonly run: TestRun
}

/** The filter of a source: up to `|`, `]` or the end. An empty one is `*`. */
export function parseSourceFilter(context: ParseContext): Filter {
  const scopeOfPart = findScopes(context.input)
  const filterContext = { ...context, scopeOfPart, run: { from: 0, operatorAt: 0, columnAt: 0 } }
  const start = context.input.token()
  if (isFilterEnd(start)) return { kind: 'everything', start: start.start, end: start.start }
  const filter = parseScopedParts(filterContext, [])
  if (!isFilterEnd(context.input.token())) raiseUnexpected(context)
  return filter
}

/** A filter in which no scope may stand, up to where it ends. */
export function parsePlainFilter(context: ParseContext, names: ColumnNames): Filter {
  const run = { from: 0, operatorAt: 0, columnAt: 0 }
  const filter = parseOr({ ...context, scopeOfPart: null, run }, names, [])
  if (isScopeAhead(context.input)) raiseMisplaced(context.input)
  return filter
}

function isFilterEnd(token: Token): boolean {
  return (
    token.kind === 'end' ||
    (token.kind === 'symbol' && (token.symbol === '|' || token.symbol === ']'))
  )
}

/** One part of `a in x OR b in y`; an unscoped last part gives several, so that AND goes on binding
 *  tighter than OR. */
type Part = { readonly connector: 'and' | 'or'; readonly filter: Filter }

function parseScopedParts(context: FilterContext, outer: readonly Scope[]): Filter {
  const { input } = context
  const parts: Part[] = []
  let connector: 'and' | 'or' = 'and'
  for (;;) {
    const partStart = input.position
    // A connector stands between a scope and the next part; the part was measured from the end of
    // that scope.
    if (parts.length > 0) connector = parseConnector(context)
    const start = input.token().start
    const scopeAhead = context.scopeOfPart?.get(partStart)
    const chain = scopeAhead ? [...outer, scopeAhead] : outer
    const operand: Filter = isScopeAhead(input)
      ? { kind: 'everything', start, end: start }
      : parseOr(context, context.catalog.inScopes(chain), chain)
    if (!isScopeAhead(input)) {
      addUnscoped(parts, connector, operand)
      return combine(parts)
    }
    const { scope, last, end } = parsePartEnd(input)
    const inTime = last === undefined ? operand : bothOf(operand, last)
    const filter: Filter =
      scope === undefined ? inTime : { kind: 'scoped', start, end, operand: inTime, scope }
    parts.push({ connector, filter })
    if (isPartsEnd(input.token())) return combine(parts)
  }
}

/** After a scope: `and`, `or`, or `not`, which means `and not` and is left for the operand. */
function parseConnector(context: FilterContext): 'and' | 'or' {
  if (context.input.takeKeyword('or')) return 'or'
  if (context.input.takeKeyword('and') || context.input.isKeyword('not')) return 'and'
  return context.input.raise('and, or, | or the end is expected after a scope')
}

/** `timeout in last 2 hours` */
function bothOf(operand: Filter, last: Test): Filter {
  if (operand.kind === 'everything') return { ...last, start: operand.start }
  const operands = operand.kind === 'and' ? operand.operands : [operand]
  return makeList('and', [...operands, last])
}

function isPartsEnd(token: Token): boolean {
  return isFilterEnd(token) || (token.kind === 'symbol' && token.symbol === ')')
}

function addUnscoped(parts: Part[], connector: 'and' | 'or', operand: Filter): void {
  const alternatives = parts.length > 0 && operand.kind === 'or' ? operand.operands : [operand]
  for (const [index, alternative] of alternatives.entries()) {
    const filters =
      parts.length > 0 && alternative.kind === 'and' ? alternative.operands : [alternative]
    for (const [inner, filter] of filters.entries()) {
      const own = index > 0 ? 'or' : connector
      parts.push({ connector: inner > 0 ? 'and' : own, filter })
    }
  }
}

function combine(parts: readonly Part[]): Filter {
  const alternatives: Filter[][] = []
  for (const part of parts) {
    const last = alternatives.at(-1)
    if (last && part.connector === 'and') last.push(part.filter)
    else alternatives.push([part.filter])
  }
  return makeList(
    'or',
    alternatives.map((filters) => makeList('and', filters)),
  )
}

function makeList(kind: 'and' | 'or', operands: readonly Filter[]): Filter {
  const [first] = operands
  const last = operands.at(-1)
  if (!first || !last) throw new Error('a list of filters without filters')
  if (operands.length === 1) return first
  const node: And | Or = { kind, start: first.start, end: last.end, operands }
  return node
}

function parseOr(context: FilterContext, names: ColumnNames, chain: readonly Scope[]): Filter {
  const operands = [parseAnd(context, names, chain)]
  while (context.input.takeKeyword('or')) operands.push(parseAnd(context, names, chain))
  return makeList('or', operands)
}

function parseAnd(context: FilterContext, names: ColumnNames, chain: readonly Scope[]): Filter {
  const { input } = context
  const operands = [parseUnary(context, names, chain)]
  for (;;) {
    if (!input.takeKeyword('and') && !isOperandAhead(context)) return makeList('and', operands)
    operands.push(parseUnary(context, names, chain))
  }
}

function isOperandAhead({ input }: FilterContext): boolean {
  const token = input.token()
  if (isPartsEnd(token)) return false
  if (token.kind === 'symbol') return token.symbol === '(' || raiseAtSymbol(input, token.symbol)
  return !(token.kind === 'word' && token.keyword === 'or') && !isScopeAhead(input)
}

function parseUnary(context: FilterContext, names: ColumnNames, chain: readonly Scope[]): Filter {
  const { input } = context
  const start = input.token().start
  if (isScopeAhead(input) || !input.takeKeyword('not')) return parsePrimary(context, names, chain)
  if (isLastAhead(input)) input.raise('what is older is found with timestamp < now - 2h')
  const operand = input.nested(() => parseUnary(context, names, chain))
  return { kind: 'not', start, end: operand.end, operand }
}

/** What may stand before `in last 2 hours` without being searched for. */
const TIME_NAMES = new Set(['timestamp', 'date', 'event.timestamp', 'event.date'])

function parsePrimary(context: FilterContext, names: ColumnNames, chain: readonly Scope[]): Filter {
  const { input } = context
  const token = input.token()
  if (token.kind === 'end' || isPartsEnd(token) || isScopeAhead(input))
    return raiseUnexpected(context)
  if (token.kind === 'word' && (token.keyword === 'and' || token.keyword === 'or')) {
    return input.raise(`a word or a test is expected, quote ${token.keyword} to search it`)
  }
  if (token.kind === 'word' && TIME_NAMES.has(token.keyword) && isLastAhead(input, token.end)) {
    input.take(token)
    return { ...parseLast(input), start: token.start }
  }
  const column = findTest(context, names, context.run)
  if (column) return parseTest(context, column, names)
  if (token.kind === 'symbol') {
    if (token.symbol !== '(') return raiseAtSymbol(input, token.symbol)
    input.take(token)
    return parseGroup(context, names, chain, token.start)
  }
  input.take(token)
  const { start, end } = token
  if (token.kind === 'quoted') {
    if (token.text === '') input.raise('the text between the quotation marks is empty', start)
    return { kind: 'phrase', start, end, text: token.text }
  }
  const [first] = token.pattern
  if (first?.kind === 'run' && token.pattern.length === 1) return { kind: 'everything', start, end }
  return { kind: 'word', start, end, pattern: token.pattern }
}

function parseGroup(
  context: FilterContext,
  names: ColumnNames,
  chain: readonly Scope[],
  start: number,
): Filter {
  const { input } = context
  const inside = input.nested(() =>
    context.scopeOfPart ? parseScopedParts(context, chain) : parseOr(context, names, chain),
  )
  if (!input.isSymbol(')')) {
    if (isScopeAhead(input)) raiseMisplaced(input)
    if (isFilterEnd(input.token())) input.raise('the parenthesis is not closed', start)
    return raiseUnexpected(context)
  }
  input.takeSymbol(')')
  return inside
}

function raiseMisplaced(input: ParseContext['input']): never {
  if (isLastAhead(input))
    return input.raise('in last stands only before the first |; write timestamp > now - 2h')
  return input.raise('a scope stands only before the first |')
}

function raiseUnexpected({ input }: ParseContext): never {
  const token = input.token()
  if (token.kind === 'end') return input.raise('a word or a test is expected before the end')
  if (token.kind === 'symbol' && token.symbol === ')') {
    return input.raise(') is not expected here')
  }
  return input.raise('a word or a test is expected')
}
