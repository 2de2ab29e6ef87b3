// Scopes: `in log.a, folder.b not in server.c` (search-language#scopes), and which scope ends which
// part of a filter.

import type { Pattern, Scope, ScopeItem, ScopeKind, Test } from '../tree.ts'
import { type Input, isSpace, PatternBuilder } from './input.ts'
import { isLastAhead, parseLast } from './parse-last.ts'

const PREFIXES: ReadonlyMap<string, ScopeKind> = new Map<string, ScopeKind>([
  ['log', 'log'],
  ['folder', 'folder'],
  ['apptag', 'apptag'],
  ['app', 'apptag'],
  ['server', 'server'],
  ['host', 'server'],
  ['file', 'file'],
  ['source', 'file'],
  ['type', 'type'],
])
const PREFIX = new RegExp(`^(${[...PREFIXES.keys()].join('|')})\\.`)
const NAME_ENDS = new Set([',', '|', ')'])
const NAME_END_WORDS = new Set(['and', 'or', 'not'])

/** True when `in <scope>`, `not in <scope>` or `in last 2 hours` stands here. */
export function isScopeAhead(input: Input, from = input.position): boolean {
  return (
    scopeWordsEnd(input, from, ['in']) !== undefined ||
    isExclusionAhead(input, from) ||
    isLastAhead(input, from)
  )
}

/** What stands after a part of a filter and is about all of it: logs, a length of time, or both. */
export type PartEnd = {
  readonly scope: Scope | undefined
  readonly last: Test | undefined
  readonly end: number
}

export function parsePartEnd(input: Input): PartEnd {
  const before = isLastAhead(input) ? parseLast(input) : undefined
  if (before !== undefined && isLastAhead(input)) input.raise('in last stands here already')
  if (before !== undefined && !isScopeAhead(input))
    return { scope: undefined, last: before, end: before.end }
  const scope = parseScope(input)
  if (!isLastAhead(input)) return { scope, last: before, end: scope.end }
  if (before !== undefined) input.raise('in last stands here already')
  const last = parseLast(input)
  return { scope, last, end: last.end }
}

/** Reads the scope that stands here. */
export function parseScope(input: Input): Scope {
  const start = input.token().start
  const include: ScopeItem[] = []
  const exclude: ScopeItem[] = []
  const inEnd = scopeWordsEnd(input, input.position, ['in'])
  if (inEnd !== undefined) {
    input.position = inEnd
    parseScopeItems(input, include)
  }
  while (isExclusionAhead(input, input.position)) {
    input.position = scopeWordsEnd(input, input.position, ['not', 'in']) ?? input.position
    parseScopeItems(input, exclude)
  }
  return { kind: 'scope', start, end: input.position, include, exclude }
}

/** A scope list without the word `in` (sourceQuery of the configuration reads), up to the end of
 *  the text. */
export function parseScopeList(input: Input): Scope {
  const include: ScopeItem[] = []
  parseScopeItems(input, include)
  if (input.token().kind !== 'end') input.raise('a comma or the end is expected')
  return { kind: 'scope', start: 0, end: input.position, include, exclude: [] }
}

/**
 * Looks through a filter from here to its end and finds, for each part (which starts after a `(`,
 * after a scope, or here), the scope that ends it. Parsing needs this first: which words are a
 * column depends on the scope after them.
 */
export function findScopes(input: Input): ReadonlyMap<number, Scope> {
  const before = input.position
  const scopeOfPart = new Map<number, Scope>()
  const open = [before]
  for (let token = input.token(); token.kind !== 'end'; token = input.token()) {
    if (token.kind === 'symbol') {
      if (token.symbol === '|' || token.symbol === ']') break
      if (token.symbol === '(') open.push(token.end)
      if (token.symbol === ')') open.pop()
      if (open.length === 0) break
    } else if (token.kind === 'word') {
      if (isScopeAhead(input)) {
        const { scope, end } = parsePartEnd(input)
        const part = open.pop() ?? before
        if (scope !== undefined) scopeOfPart.set(part, scope)
        open.push(end)
        continue
      }
      if (token.keyword === 'in' && input.text.charAt(input.skipSpace(token.end)) === '[') {
        input.position = input.skipSpace(token.end) + 1
        skipSubQuery(input)
        continue
      }
    }
    input.take(token)
  }
  input.position = before
  return scopeOfPart
}

function skipSubQuery(input: Input): void {
  input.bracketed(() => {
    let depth = 1
    for (let token = input.token(); token.kind !== 'end'; token = input.token()) {
      input.take(token)
      if (token.kind !== 'symbol') continue
      if (token.symbol === '[') depth += 1
      if (token.symbol === ']') depth -= 1
      if (depth === 0) return
    }
  })
}

function isExclusionAhead(input: Input, from: number): boolean {
  return scopeWordsEnd(input, from, ['not', 'in']) !== undefined
}

/** Where the words end, if a scope item follows them. */
function scopeWordsEnd(input: Input, from: number, words: readonly string[]): number | undefined {
  const end = input.keywordsEnd(from, words)
  if (end === undefined) return undefined
  const item = input.token(end)
  const isItem = item.kind === 'word' && (item.keyword === '*' || PREFIX.test(item.keyword))
  return isItem ? end : undefined
}

function parseScopeItems(input: Input, items: ScopeItem[]): void {
  do items.push(parseScopeItem(input))
  while (input.takeSymbol(','))
}

function parseScopeItem(input: Input): ScopeItem {
  const token = input.token()
  if (token.kind === 'word' && token.keyword === '*') {
    input.take(token)
    return { kind: 'scopeEverything', start: token.start, end: token.end }
  }
  const prefix = token.kind === 'word' ? PREFIX.exec(token.keyword)?.[1] : undefined
  const of = prefix === undefined ? undefined : PREFIXES.get(prefix)
  if (prefix === undefined || of === undefined) {
    return input.raise('log., folder., apptag., server., file., type. or * is expected')
  }
  input.position = token.start + prefix.length + 1
  const name = parseScopeName(input)
  return { kind: 'scopeName', start: token.start, end: input.position, of, name }
}

/** Up to `,` `|` `)`, the words and, or, not, or the end; quoted: the text as it is. */
function parseScopeName(input: Input): Pattern {
  if (input.text.charAt(input.position) === '"') {
    const token = input.expectQuoted('a name')
    if (token.text === '') input.raise('a name is expected', token.start)
    return [{ kind: 'text', text: token.text }]
  }
  const start = input.position
  const pattern = new PatternBuilder()
  let end = start
  let at = start
  while (at < input.text.length) {
    const character = input.text.charAt(at)
    if (NAME_ENDS.has(character) || (character === ']' && input.isInBrackets)) break
    if (character === '(' || character === '"') {
      input.raise(`a name with ${character} must be quoted`, at)
    }
    if (isSpace(character)) {
      const next = input.skipSpace(at)
      if (isNameEnd(input, next)) break
      if (end > start) pattern.addText(' ')
      at = next
      continue
    }
    if (character === '\\') {
      pattern.addText(input.escaped(at))
      at += 2
    } else {
      pattern.addCharacter(character)
      at += 1
    }
    end = at
  }
  if (end === start) input.raise('a name is expected', start)
  input.position = end
  return pattern.parts()
}

/** After white space: does the name end here? */
function isNameEnd(input: Input, at: number): boolean {
  const character = input.text.charAt(at)
  if (character === '' || NAME_ENDS.has(character)) return true
  if (character === ']' && input.isInBrackets) return true
  if (character === '"' || character === '(') return false
  const token = input.token(at)
  if (token.kind !== 'word') return false
  if (NAME_END_WORDS.has(token.keyword)) return true
  if (isLastAhead(input, at)) return true
  if (scopeWordsEnd(input, at, ['in']) !== undefined) {
    input.raise('a further scope needs and, or, or a comma in place of in', at)
  }
  return false
}
