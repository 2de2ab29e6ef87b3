// A word or phrase as a condition on a row of `events` (search-language 2.1). The text index only narrows; the exact test
// stands beside it unless the index says that it is exact. Index conditions are right in WHERE only (AND, OR, NOT).
import {
  foldCase,
  IDS_EXPRESSION,
  indexTokens,
  isExactWord,
  isIndexedAddress,
  isIndexedNumber,
  isIndexedWord,
  LONG_RUN,
  mayStandInIds,
  NUMBERS_EXPRESSION,
  TEXT_EXPRESSION,
} from '../../../schemas/store/text-index.ts'
import type { Pattern, Phrase, Word } from '../tree.ts'
import { FALSE, sqlAnd, sqlOr } from './boolean-sql.ts'
import type { SqlParams } from './sql-params.ts'
import { phraseRegexp, wordRegexp } from './term-regexp.ts'

const LOOSE_WORD = /[\p{L}\p{Nd}_]+/gu
/** Narrowing by more words than these gains nothing. */
const MAX_INDEX_WORDS = 16

export type TermContext = {
  readonly params: SqlParams
  /** False where the rows come from a sub-select, whose text no index covers. */
  readonly isIndexed: boolean
}

export function termPattern(term: Word | Phrase): Pattern {
  return term.kind === 'word' ? term.pattern : [{ kind: 'text', text: term.text }]
}

export function termRegexp(term: Word | Phrase): string {
  return term.kind === 'word' ? wordRegexp(term.pattern) : phraseRegexp(term.text)
}

export function termSql(term: Word | Phrase, { params, isIndexed }: TermContext): string {
  const pattern = termPattern(term)
  const plain = foldCase(plainText(pattern) ?? '')
  if (isIndexed && isExactWord(plain)) {
    const inIds = mayStandInIds(plain) ? `has(${IDS_EXPRESSION}, ${params.text(plain)})` : FALSE
    return sqlOr([tokensSql('and', [plain], params), inIds])
  }
  params.countConditions(1)
  const regexp = params.text(termRegexp(term))
  const exact = `(match(message, ${regexp}) OR match(rest, ${regexp}))`
  const narrowed = isIndexed ? sqlAnd([...narrowing(pattern, params), exact]) : exact
  return sqlOr([narrowed, idsCondition(pattern, regexp, { params, isIndexed })])
}

/** Conditions that every row with the term in its text meets, as far as an index answers them. */
function narrowing(pattern: Pattern, params: SqlParams): string[] {
  const whole = foldCase(plainText(pattern) ?? '')
  if (isIndexedAddress(whole)) {
    return [`hasAny(${NUMBERS_EXPRESSION}, ${params.add([whole, LONG_RUN], 'Array(String)')})`]
  }
  const words = wholeWords(pattern).slice(0, MAX_INDEX_WORDS)
  const numbers = words.filter((word) => !isIndexedWord(word) && isIndexedNumber(word))
  return [
    ...words.filter(isIndexedWord).map((word) => tokensSql('and', [word], params)),
    ...numbers.map((word) => `has(${NUMBERS_EXPRESSION}, ${params.text(word)})`),
  ]
}

/** Identifiers are in no text: they are looked at value by value. */
function idsCondition(
  pattern: Pattern,
  regexp: string,
  { params, isIndexed }: TermContext,
): string {
  if (!mayStandInIdentifiers(pattern)) return FALSE
  const part = identifierPart(pattern)
  if (part !== undefined) return `has(${IDS_EXPRESSION}, ${params.text(part)})`
  const parts = wholeWords(pattern).slice(0, MAX_INDEX_WORDS)
  const index = isIndexed ? parts.map((word) => `has(${IDS_EXPRESSION}, ${params.text(word)})`) : []
  return sqlAnd([...index, `arrayExists(value -> match(value, ${regexp}), mapValues(ids))`])
}

export function mayStandInIdentifiers(pattern: Pattern): boolean {
  return pattern.every((part) => part.kind !== 'text' || mayStandInIds(foldCase(part.text)))
}

/** Folded, if the pattern is a whole part of identifiers, which the index of them answers exactly. */
export function identifierPart(pattern: Pattern): string | undefined {
  const plain = plainText(pattern)
  return plain === undefined || plain.includes('-') ? undefined : foldCase(plain)
}

/** The text of a pattern without wildcards. */
export function plainText(pattern: Pattern): string | undefined {
  const [part] = pattern
  return pattern.length === 1 && part?.kind === 'text' ? part.text : undefined
}

/** Folded words that stand in a match from end to end: a wildcard beside one could make it longer. */
export function wholeWords(pattern: Pattern): string[] {
  const words: string[] = []
  for (const [index, part] of pattern.entries()) {
    if (part.kind !== 'text') continue
    for (const found of part.text.matchAll(LOOSE_WORD)) {
      const end = found.index + found[0].length
      const touchesStart = found.index === 0 && index > 0
      const touchesEnd = end === part.text.length && index < pattern.length - 1
      if (!touchesStart && !touchesEnd) words.push(foldCase(found[0]))
    }
  }
  return [...new Set(words)]
}

/** A condition that the word index answers: all or any of some folded words. */
export function tokensSql(kind: 'and' | 'or', words: readonly string[], params: SqlParams): string {
  const unique = [...new Set(words)]
  const tokens = indexTokens(unique)
  const asked = tokens ? params.add(tokens, 'Array(String)') : params.text(unique.join(' '))
  return `${kind === 'and' ? 'hasAllTokens' : 'hasAnyTokens'}(${TEXT_EXPRESSION}, ${asked})`
}
