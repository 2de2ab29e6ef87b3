// What the skip indexes of `events` hold, written once: the DDL, the query compiler and a test read
// these constants, since an index whose expression differs by one character from the query's is
// silently not used. Every index is a superset prefilter for the words of search-language#words: it
// never misses a row, it may give one too many.
//
// How the compiler asks for the word w (folded with `foldCase`):
//   isIndexedWord(w)    hasAllTokens(words, w) AND the exact test, unless isExactWord(w)
//                       (w is the array of `indexTokens` if it has one, else `wordsOf` its text)
//   isIndexedNumber(w)  has(NUMBERS_EXPRESSION, w)                AND the exact test
//   isIndexedAddress(t) hasAny(NUMBERS_EXPRESSION, [t, LONG_RUN]) AND the exact test
//   none of them        the exact test alone (a scan)
//   mayStandInIds(w)    OR has(IDS_EXPRESSION, w), which is exact
//                       (with the setting use_skip_indexes_for_disjunctions = 1)
// `words` is worked out where the engine reads no index (in SELECT, or when it leaves the index
// aside): the same answer, and dear.

import { ID_SEPARATOR } from '../shown-columns.ts'

/** Text that words are looked for in. Key names are in neither column. */
export const TEXT_EXPRESSION = 'concat(message, rest)'

/** SQL of simple lower-casing by code point: Σ never becomes a final sigma, İ becomes one
 *  character. Same function as `foldCase`. */
export function foldExpression(text: string): string {
  return `lowerUTF8(replaceAll(replaceAll(${text}, 'Σ', 'σ'), 'İ', 'i'))`
}

/** Lower-cases as search-language#words says; same function as `foldExpression`. */
export function foldCase(text: string): string {
  return text.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
}

// Stands for '_' inside the index, where the tokenizer would cut; no letter, so that the text
// itself cannot hold it there.
const UNDERSCORE = '·'
const NOT_LETTERS = '[^\\x00-\\x7F\\p{L}\\p{Nd}]+'
// Numbers, pieces of times (`21t09`, `123z`) and hexadecimal identifiers: two thirds of the
// dictionary.
const DROPPED = '(?:[0-9][0-9a-f]*(?:z|t[0-9][0-9])?|[a-f]+[0-9][0-9a-f]{5,})'
// Separators of folded text. Neighbouring ones are one match, and there is no \b in it: with one
// for each it takes twice as long.
const SEPARATOR = '[\\x00-/:-^`{-\\x7F]'
const DROPPED_RUN = `${SEPARATOR}(?:${DROPPED}${SEPARATOR}+)+`
/** What may be a part of a dropped word. */
const PART_OF_DROPPED = /^[0-9a-f]*(?:z|t[0-9]{0,2})?$/

/** SQL of the indexed words of a text, as a text. */
export function wordsOf(text: string): string {
  const letters = `replaceRegexpAll(${foldExpression(text)}, ${quote(NOT_LETTERS)}, ' ')`
  const folded = `if(isValidASCII(${text}), lower(${text}), ${letters})`
  return `replaceAll(replaceRegexpAll(concat(' ', ${folded}, ' '), ${quote(DROPPED_RUN)}, ' '), '_', '${UNDERSCORE}')`
}

/** Stands among the words of an event with white space in one of its values beside the message: the
 *  others hold no phrase of several words there. As UNDERSCORE no letter. */
const SPACED = '¶'
/** White space of ASCII, or any other character than ASCII's: it may be white space, too. */
const MAY_BE_SPACE = '[^\\x00-\\x08\\x0E-\\x1F!-\\x7F]'

/** The words of an event. An index with a preprocessor instead would give other answers wherever
 *  the engine does not read it. In a lambda: the engine plans with a column's expression, and would
 *  compile its regular expressions each time (2 ms a search). */
export const WORDS_COLUMN = 'words'
export const WORDS_DEFINITION = `${WORDS_COLUMN} String ALIAS arrayMap((x, y) -> concat(${wordsOf('x')}, if(match(y, ${quote(MAY_BE_SPACE)}), ' ${SPACED}', '')), [${TEXT_EXPRESSION}], [rest])[1]`

/** In a row's numbers when a dotted run of more than four groups stands there: any address may be
 *  hidden in it. */
export const LONG_RUN = '..'
const ADDRESS_OR_NUMBER = '\\b[0-9]{1,3}(?:[.][0-9]{1,3}){3,}\\b|\\b[a-f]*[0-9][0-9a-f]{5,}\\b'

/** Array(String): long numbers, hexadecimal identifiers and IPv4 addresses of the text. */
export const NUMBERS_EXPRESSION = `arrayMap(x -> if(countSubstrings(x, '.') > 3, '${LONG_RUN}', x), extractAll(${foldExpression(TEXT_EXPRESSION)}, ${quote(ADDRESS_OR_NUMBER)}))`

/** String: identifiers of the row, lower case, '-' between them as within them. */
export const IDS_TEXT = `replaceAll(lower(ids), '${ID_SEPARATOR}', '-')`

/** Array(String): identifiers of the row, lower case, whole and cut at '-'. */
export const IDS_EXPRESSION = `arrayConcat(splitByChar('${ID_SEPARATOR}', lower(ids)), splitByChar('-', ${IDS_TEXT}))`

export const WORDS_INDEX_NAME = 'ix_w'
export const WORDS_INDEX = `INDEX ${WORDS_INDEX_NAME} ${WORDS_COLUMN} TYPE text(tokenizer = 'splitByNonAlpha', posting_list_codec = 'bitpacking')`
export const NUMBERS_INDEX = `INDEX ix_num ${NUMBERS_EXPRESSION} TYPE bloom_filter(0.001) GRANULARITY 1`
export const IDS_INDEX = `INDEX ix_ids ${IDS_EXPRESSION} TYPE bloom_filter(0.001) GRANULARITY 1`

const ONE_WORD = /^[\p{L}\p{Nd}_]+$/u
const DROPPED_WORD = new RegExp(`^${DROPPED}$`)
// Not letters that every Unicode version in use knows: the engine's tables are older than some
// runtimes', and it may cut here.
const NOT_OLD_LETTERS =
  /[^0-9a-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u0373\u0386\u0388-\u038a\u038e-\u03a1\u03a3-\u03ff\u0400-\u0481\u048a-\u0523\u0531-\u0556\u0561-\u0587\u05d0-\u05ea\u0621-\u064a\u0904-\u0939\u0e01-\u0e30\u10d0-\u10f0\u1e00-\u1e9b\u1f00-\u1f15\u3041-\u3096\u30a1-\u30fa\u3400-\u4db5\u4e00-\u9fa5\uac00-\ud7a3]+/u

/** True when the word index finds every row whose text holds the word. `word` is folded. */
export function isIndexedWord(word: string): boolean {
  if (!ONE_WORD.test(word)) return false
  // With nothing left of the word, it would find nothing.
  return word.split(NOT_OLD_LETTERS).some((part) => part !== '' && !DROPPED_WORD.test(part))
}

/** True when the word index also finds no other row: no exact test is needed. `word` is folded. */
export function isExactWord(word: string): boolean {
  return /^[0-9a-z_]+$/.test(word) && isIndexedWord(word)
}

/**
 * For a run of ASCII word characters that is the beginning (end, part) of a word: the token that
 * begins (ends, is part) likewise. The rows whose text holds such a word are exactly those with
 * such a token. undefined: the index may have dropped the word, which it does with numbers, times
 * and hexadecimal identifiers only. `run` is folded.
 */
export function indexedRun(run: string): string | undefined {
  return /^[0-9a-z_]+$/.test(run) && !PART_OF_DROPPED.test(run)
    ? run.replaceAll('_', UNDERSCORE)
    : undefined
}

/** Every token of the word index, by part of the table. */
export const WORDS_DICTIONARY = `mergeTreeTextIndex(currentDatabase(), 'events', '${WORDS_INDEX_NAME}')`

/** Arguments of hasAllTokens and hasAnyTokens for folded words: as tokens of the index, which saves
 *  the engine the compiling of regular expressions (2 ms a query); undefined when only the engine
 *  can cut them as it cut the text (`wordsOf`). */
export function indexTokens(words: readonly string[]): string[] | undefined {
  return words.every(isExactWord)
    ? words.map((word) => word.replaceAll('_', UNDERSCORE))
    : undefined
}

/** Argument of hasAllTokens for events that have the words and, beside the message, a value with
 *  white space; undefined as of `indexTokens`. */
export function spacedTokens(words: readonly string[]): string[] | undefined {
  const tokens = indexTokens(words)
  return tokens && [...tokens, SPACED]
}

/** True when the numbers index finds every row whose text holds the word. `word` is folded. */
export function isIndexedNumber(word: string): boolean {
  return /^[a-f]*[0-9][0-9a-f]{5,}$/.test(word)
}

/** True for a term that `hasAny(NUMBERS_EXPRESSION, [term, LONG_RUN])` finds in every row that
 *  holds it. */
export function isIndexedAddress(term: string): boolean {
  return /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(term)
}

/** True when the word, or a term such as a UUID, can be an identifier or a part of one, which the
 *  text does not hold. `word` is folded. */
export function mayStandInIds(word: string): boolean {
  return /^[0-9a-f-]+$/.test(word)
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
