// AND, OR, NOT and IN with a mistake in them: `NT (a or b)`, `error nto in log.web`, `* ni *`.
import { nearestWord } from '../nearest-word.ts'
import type { Filter } from '../tree.ts'
import { type Doubt, SCOPE_START, searchedDoubt, spanAt } from './neighbours.ts'

/** Words of ordinary texts that are one letter away from AND, OR and NOT. */
const COMMON_CAPITALS = new Set(['NO', 'ON', 'ANY', 'END', 'AT', 'NET', 'NOW', 'OUT', 'OF', 'OS'])
/** Others before a scope, lower case. */
const NEAR_NOT = new Set(
  'no now note net hot got lot dot bot pot rot cot jot nor nod non nat nt knot not'.split(' '),
)
/** What no text holds, lower case. */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ...['nto', 'ont', 'tno', 'nnot', 'noot', 'nott'].map((word) => [word, 'not'] as const),
  ...['adn', 'aand', 'annd', 'andd'].map((word) => [word, 'and'] as const),
])

export function misspelledJoin(
  operands: readonly Filter[],
  at: number,
  word: string,
  text: string,
): Doubt | undefined {
  const folded = word.toLowerCase()
  const span = spanAt(operands, at)
  const meant = (near: string, shown = near) =>
    searchedDoubt(word, `perhaps ${shown} was meant`, { ...span, text: near })
  const broken = BROKEN.get(folded)
  if (broken !== undefined) return meant(broken)
  if (at > 0 && isInBefore(operands, at, folded)) return meant('in', 'in *')
  const isAfterBracket = /\)\s*$/.test(text.slice(0, span.start))
  if (SCOPE_START.test(text.slice(span.end)) && (isAfterBracket || !NEAR_NOT.has(folded)))
    if (isNear(word, 'not') && folded.length > 1) return meant('not')
  const isBeforeBracket = /^\s+\(/.test(text.slice(span.end))
  if (at > 0 && isBrokenOr(operands, at, word, isAfterBracket || isBeforeBracket))
    return meant('OR')
  const capital = capitalJoin(operands[at + 1], word, isBeforeBracket)
  return capital === undefined ? undefined : meant(capital)
}

/** `NT`, `ORR`, `NzT`, `NO (Status > 404)` */
function capitalJoin(
  next: Filter | undefined,
  word: string,
  isBeforeBracket: boolean,
): string | undefined {
  const isBeforeTest = isBeforeBracket || next?.kind === 'test' || next?.kind === 'or'
  if (word === 'NO' && isBeforeTest) return 'NOT'
  if (!/^[A-Za-z]{1,4}$/.test(word) || /^[A-Z]?[a-z]*$/.test(word) || COMMON_CAPITALS.has(word))
    return undefined
  const near = nearestWord(word, ['and', 'not', ...(word.length > 1 ? ['or'] : [])])
  if (near === undefined) return undefined
  const isReplaced =
    near.length === word.length && sorted(near) !== sorted(word.toLowerCase()) && word !== near
  // `NfT` is no word of a text, `NIT` may be one.
  const isOdd = word.length > 2 && word !== word.toUpperCase()
  if (isReplaced && !isOdd && !isBeforeTest) return undefined
  return near.toUpperCase()
}

/** `(a) O (b)`, `status = 500 Oq error`: beside something that is no text. */
function isBrokenOr(
  operands: readonly Filter[],
  at: number,
  word: string,
  isAtBracket: boolean,
): boolean {
  if (!/^(?:O|R|O[a-z]|[a-z]R)$/.test(word)) return false
  const isWord = (operand: Filter | undefined) =>
    operand === undefined || operand.kind === 'word' || operand.kind === 'phrase'
  const isAtTest = !isWord(operands[at - 1]) || !isWord(operands[at + 1])
  return operands[at + 1] !== undefined && (isAtTest || isAtBracket) && !/^(?:On|Ok)$/.test(word)
}

function isNear(word: string, keyword: string): boolean {
  return /^\p{L}+$/u.test(word) && nearestWord(word, [keyword]) !== undefined
}

/** `error ni *`: what * finds beside other words is everything. */
function isInBefore(operands: readonly Filter[], at: number, folded: string): boolean {
  if (folded === 'in' || folded.length > 3) return false
  return operands[at + 1]?.kind === 'everything' && isNear(folded, 'in')
}

function sorted(word: string): string {
  return [...word].sort().join('')
}
