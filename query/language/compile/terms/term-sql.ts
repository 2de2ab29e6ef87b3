// A word or phrase as a condition on a row of `events` (search-language#words). The text index only
// narrows; the exact test stands beside it unless the index says that it is exact. Index conditions
// are quick in WHERE only (AND, OR, NOT).
import { ID_VALUES_SQL } from '../../../../schemas/shown-columns.ts'
import {
  foldCase,
  IDS_EXPRESSION,
  IDS_TEXT,
  indexedRun,
  indexTokens,
  isExactWord,
  isIndexedAddress,
  isIndexedNumber,
  isIndexedWord,
  LONG_RUN,
  mayStandInIds,
  NUMBERS_EXPRESSION,
  spacedTokens,
  WORDS_COLUMN,
  WORDS_DICTIONARY,
  wordsOf,
} from '../../../../schemas/store/text-index.ts'
import { isSpace } from '../../parse/input.ts'
import type { Pattern, Phrase, Word } from '../../tree.ts'
import { FALSE, sqlAnd, sqlEither, sqlOr, sqlWhere } from '../boolean-sql.ts'
import type { SqlParams } from '../sql-params.ts'
import { charactersFoldingTo } from './fold-case.ts'
import { asciiPhraseRegexp, asciiWordRegexp, phraseRegexp, wordRegexp } from './term-regexp.ts'

const LOOSE_WORD = /[\p{L}\p{Nd}_]+/gu
/** Narrowing by more words than these gains nothing. */
const MAX_INDEX_WORDS = 16
const LEAST_LITERAL = 2
/** A text, or a number, of as many characters is in hardly an event beside those that are meant. */
const TELLING_CHARACTERS = 8
/** Words that a wildcard may stand for before every text is looked at instead. */
const MAX_TOKENS = 500

export type TermContext = {
  readonly params: SqlParams
  /** False where the rows come from a sub-select, whose text no index covers. */
  readonly isIndexed: boolean
  /** The name of a number that is 0 where no row meets the condition; undefined where asking does
   *  not pay. */
  readonly askFirst?: (condition: string) => string | undefined
}

/** True of a word whose rows the word index alone knows. */
export function isAnsweredByIndex(term: Word | Phrase): boolean {
  return isExactWord(foldCase(plainText(termPattern(term)) ?? ''))
}

export function termPattern(term: Word | Phrase): Pattern {
  return term.kind === 'word' ? term.pattern : [{ kind: 'text', text: term.text }]
}

export function termRegexp(term: Word | Phrase): string {
  return term.kind === 'word' ? wordRegexp(term.pattern) : phraseRegexp(term.text)
}

/** The term for texts of ASCII characters only; undefined: none of them has it. */
export function asciiTermRegexp(term: Word | Phrase): string | undefined {
  return term.kind === 'word' ? asciiWordRegexp(term.pattern) : asciiPhraseRegexp(term.text)
}

export function termSql(term: Word | Phrase, context: TermContext): string {
  const { params, isIndexed } = context
  const pattern = termPattern(term)
  const plain = foldCase(plainText(pattern) ?? '')
  if (isIndexed && isExactWord(plain)) {
    const inIds = mayStandInIds(plain) ? `has(${IDS_EXPRESSION}, ${params.text(plain)})` : FALSE
    return sqlOr([tokensSql('and', [plain], params), inIds])
  }
  params.countConditions(1)
  const exact = textMatchSql([term], params, (inRest) => restGuard(pattern, inRest, context))
  const tokens = isIndexed ? dictionarySql(pattern, params) : undefined
  if (tokens !== undefined) return byTokens(tokens, exact)
  const narrow = isIndexed ? narrowing(pattern, params) : { words: [], numbers: [] }
  const isNarrow = narrow.words.length + narrow.numbers.length > 0
  return sqlOr([
    // What the numbers index holds is dear to work out for a row: last, for the few that have the
    // term.
    sqlAnd([...narrow.words, exact, ...narrow.numbers]),
    idsCondition(term, { ...context, isIndexed: isIndexed && isNarrow }),
  ])
}

/** `time*`, `*time`, `*time*`: the words of the index that fit, asked for before the statement
 *  runs. */
function dictionarySql(pattern: Pattern, params: SqlParams): string | undefined {
  const [first, second, third] = pattern
  const text = first?.kind === 'text' ? first : second
  if (text?.kind !== 'text' || pattern.length < 2) return undefined
  const run = indexedRun(foldCase(text.text))
  if (run === undefined) return undefined
  const given = params.text(run)
  const fits =
    pattern.length === 2 && first?.kind === 'text' && second?.kind === 'run'
      ? `startsWith(token, ${given})`
      : pattern.length === 2 && first?.kind === 'run'
        ? `endsWith(token, ${given})`
        : pattern.length === 3 && first?.kind === 'run' && third?.kind === 'run'
          ? `position(token, ${given}) > 0`
          : undefined
  if (fits === undefined) return undefined
  return `(SELECT groupUniqArray(${MAX_TOKENS + 1})(token) FROM ${WORDS_DICTIONARY} WHERE ${fits})`
}

/** By the index, or where too many of its words fit by the exact test. The engine drops what it
 *  does not take. */
function byTokens(tokens: string, exact: string): string {
  const found = `hasAnyTokens(${WORDS_COLUMN}, ${tokens})`
  return `if(length(${tokens}) > ${MAX_TOKENS}, ${exact}, ${found})`
}

/**
 * The name of a number that is 0 where no event has the phrase in a value beside its message;
 * undefined where asking does not pay. Most phrases stand in messages only, and half of the texts
 * need not be read: here only those that may have white space.
 */
function restGuard(
  pattern: Pattern,
  inRest: string,
  { params, askFirst }: TermContext,
): string | undefined {
  if (![...(plainText(pattern) ?? '')].some(isSpace)) return undefined
  const tokens = spacedTokens(wholeWords(pattern).filter(isExactWord))
  if (tokens === undefined) return undefined
  const asked = params.add(tokens, 'Array(String)')
  return askFirst?.(`hasAllTokens(${WORDS_COLUMN}, ${asked}) AND ${inRest}`)
}

/** The exact test of the text: true where it has one of the terms. `guard`: see restGuard. */
export function textMatchSql(
  terms: readonly (Word | Phrase)[],
  params: SqlParams,
  guard?: (inRest: string) => string | undefined,
): string {
  params.countTexts()
  const any = params.text(alternatives(terms.map(termRegexp)))
  const ascii = terms.flatMap((term) => asciiTermRegexp(term) ?? [])
  const quick = ascii.length === 0 ? undefined : params.text(alternatives(ascii))
  const literals = terms.map(plainRun)
  // Nearly every text has one of several short ones: looking for them costs more than it saves.
  const least = terms.length === 1 ? LEAST_LITERAL : TELLING_CHARACTERS
  const areTelling = literals.every((literal) => literal.length >= least)
  const test = (text: string) => {
    const inAscii = quick === undefined ? FALSE : `match(${text}, ${quick})`
    const exact = `if(isValidASCII(${text}), ${inAscii}, match(${text}, ${any}))`
    return areTelling ? `(${literalSql(text, literals, params)} AND ${exact})` : exact
  }
  const inRest = test('rest')
  const isThere = guard?.(inRest)
  return sqlEither(test('message'), isThere === undefined ? inRest : sqlWhere(isThere, inRest))
}

/** True where one of them stands in the text, in any case of ASCII letters. At most 255. */
function literalSql(text: string, literals: readonly string[], params: SqlParams): string {
  const anyCase = literals.some((literal) => /[a-z]/i.test(literal)) ? 'CaseInsensitive' : ''
  const [literal = ''] = literals
  return literals.length === 1
    ? `position${anyCase}(${text}, ${params.text(literal)}) > 0`
    : `multiSearchAny${anyCase}(${text}, ${params.add(literals, 'Array(String)')})`
}

/**
 * The longest run of a term's characters that every text with the term has, but for the case of
 * ASCII letters. Looked for before the rest: of rows that lack it nothing else is worked out.
 */
function plainRun(term: Word | Phrase): string {
  let longest = ''
  for (const part of termPattern(term)) {
    if (part.kind !== 'text') continue
    let run = ''
    for (const character of part.text) {
      run = isPlain(character) ? run + character : ''
      if (run.length > longest.length) longest = run
    }
  }
  return longest
}

/** ASCII without white space, and what it is folded with, too: not `k`, which also stands for the
 *  sign of Kelvin, nor `i` (İ). */
function isPlain(character: string): boolean {
  return (
    /^[!-~]$/.test(character) &&
    [...charactersFoldingTo(foldCase(character))].every((same) => /^[!-~]$/.test(same))
  )
}

function alternatives(regexps: readonly string[]): string {
  const unique = [...new Set(regexps)]
  return unique.length === 1 ? (unique[0] ?? '') : unique.map((text) => `(?:${text})`).join('|')
}

/** Conditions that every row with the term in its text meets, as far as an index answers them. */
function narrowing(pattern: Pattern, params: SqlParams): { words: string[]; numbers: string[] } {
  const whole = foldCase(plainText(pattern) ?? '')
  if (isIndexedAddress(whole)) {
    const asked = params.add([whole, LONG_RUN], 'Array(String)')
    return { words: [], numbers: [`hasAny(${NUMBERS_EXPRESSION}, ${asked})`] }
  }
  const words = wholeWords(pattern).slice(0, MAX_INDEX_WORDS)
  const indexed = words.filter(isIndexedWord)
  const numbers = narrowest(words.filter((word) => !isIndexedWord(word) && isIndexedNumber(word)))
  return {
    // Together when they are asked for as tokens; words of other alphabets one by one.
    words: indexed.every(isExactWord)
      ? indexed.length === 0
        ? []
        : [tokensSql('and', indexed, params)]
      : indexed.map((word) => tokensSql('and', [word], params)),
    numbers: numbers.map((word) => `has(${NUMBERS_EXPRESSION}, ${params.text(word)})`),
  }
}

/** Identifiers are in no text: they are looked at value by value. They are of ASCII characters. */
function idsCondition(term: Word | Phrase, { params, isIndexed, askFirst }: TermContext): string {
  const pattern = termPattern(term)
  const regexp = asciiTermRegexp(term)
  if (regexp === undefined || !mayStandInIdentifiers(pattern)) return FALSE
  const part = identifierPart(pattern)
  if (part !== undefined) {
    if (isIndexed) return hasId(part, params)
    // Short numbers are hardly ever an identifier: the index of them says so before every row's are
    // read.
    const isThere = askFirst?.(hasId(part, params))
    const scan = scanForId(part, params)
    return isThere === undefined ? scan : sqlWhere(isThere, scan)
  }
  const parts = narrowest(wholeWords(pattern).slice(0, MAX_INDEX_WORDS))
  const index = isIndexed ? parts.map((word) => hasId(word, params)) : []
  return sqlAnd([...index, idMatchSql(params.text(regexp))])
}

/** Asking for more parts than one that tells finds no fewer blocks, and the engine asks no index in
 *  long conditions (sqlEither). */
function narrowest(parts: readonly string[]): readonly string[] {
  const longest = parts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  return longest.length >= TELLING_CHARACTERS ? [longest] : parts
}

/** Folded, if the indexes of numbers and of identifiers both know the term by this part alone. */
export function tellingPart(term: Word | Phrase): string | undefined {
  const pattern = termPattern(term)
  if (!mayStandInIdentifiers(pattern)) return undefined
  const [part = ''] = narrowest(wholeWords(pattern).filter(isIndexedNumber))
  return part.length >= TELLING_CHARACTERS ? part : undefined
}

/** True where an identifier matches. `regexp`: SQL of a text. */
export function idMatchSql(regexp: string): string {
  return `arrayExists(value -> match(value, ${regexp}), ${ID_VALUES_SQL})`
}

function hasId(part: string, params: SqlParams): string {
  params.countIdentifiers()
  return `has(${IDS_EXPRESSION}, ${params.text(part)})`
}

/** The same for every row without an index, in half the time. */
function scanForId(part: string, params: SqlParams): string {
  const joined = `concat('-', ${IDS_TEXT}, '-')`
  return `(position(${joined}, ${params.text(`-${part}-`)}) > 0)`
}

export function mayStandInIdentifiers(pattern: Pattern): boolean {
  return pattern.every((part) => part.kind !== 'text' || mayStandInIds(foldCase(part.text)))
}

/** Folded, if the pattern is a whole part of identifiers, which the index of them answers
 *  exactly. */
export function identifierPart(pattern: Pattern): string | undefined {
  const plain = plainText(pattern)
  return plain === undefined || plain.includes('-') ? undefined : foldCase(plain)
}

/** The text of a pattern without wildcards. */
export function plainText(pattern: Pattern): string | undefined {
  const [part] = pattern
  return pattern.length === 1 && part?.kind === 'text' ? part.text : undefined
}

/** Folded words that stand in a match from end to end: a wildcard beside one could make it
 *  longer. */
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
  const asked = tokens
    ? params.add(tokens, 'Array(String)')
    : wordsOf(params.text(unique.join(' ')))
  return `${kind === 'and' ? 'hasAllTokens' : 'hasAnyTokens'}(${WORDS_COLUMN}, ${asked})`
}
