// The exact test of a term as an RE2 expression over one text (search-language#words). Letter case
// is ignored by classes of characters, not by (?i), which folds by other rules (ſ = s, ς = σ). No
// term can match over U+001F, which parts the values.
//
// Each in two alphabets: `any` for every text; `ascii`, right for texts of ASCII characters only,
// which the engine compiles in a tenth of the time (it does so for each block of rows) and looks
// for the plain characters of first.
import { foldCase } from '../../../../schemas/store/text-index.ts'
import { isSpace } from '../../parse/input.ts'
import type { Pattern } from '../../tree.ts'
import { charactersFoldingTo } from './fold-case.ts'

type Alphabet = {
  readonly word: string
  readonly before: string
  readonly after: string
  readonly spaces: string
  readonly noSpace: string
  /** One character that is neither white space nor part of a word. */
  readonly punctuation: string
  readonly isAscii: boolean
}

const ANY: Alphabet = {
  word: '[\\p{L}\\p{Nd}_]',
  before: '(?:^|[^\\p{L}\\p{Nd}_])',
  after: '(?:$|[^\\p{L}\\p{Nd}_])',
  spaces: '[\\t-\\r \\x{85}\\x{FEFF}\\p{Z}]+',
  noSpace: '[^\\t-\\r \\x{85}\\x{FEFF}\\p{Z}\\x{1F}]',
  punctuation: '[^\\t-\\r \\x{85}\\x{FEFF}\\p{Z}\\x{1F}\\p{L}\\p{Nd}_]',
  isAscii: false,
}
const ASCII: Alphabet = {
  word: '[0-9A-Za-z_]',
  before: '(?:^|[^0-9A-Za-z_])',
  after: '(?:$|[^0-9A-Za-z_])',
  spaces: '[\\t-\\r ]+',
  noSpace: '[^\\t-\\r \\x{1F}]',
  punctuation: '[^\\t-\\r \\x{1F}0-9A-Za-z_]',
  isAscii: true,
}
/** Where a literal has a character that no ASCII text has. */
const NEVER = '[^\\x{0}-\\x{10FFFF}]'

export function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{Nd}_]$/u.test(character)
}

/** A phrase: the characters between the quotes, runs of white space equal, words whole at both
 *  ends. */
export function phraseRegexp(text: string): string {
  return phraseIn(text, ANY)
}

/** The same for texts of ASCII characters; undefined: none of them has the phrase. */
export function asciiPhraseRegexp(text: string): string | undefined {
  return possible(phraseIn(text, ASCII))
}

/** A word: exact characters and wildcards, which stay inside a run of characters without white
 *  space. */
export function wordRegexp(pattern: Pattern): string {
  return wordIn(pattern, ANY)
}

/** The same for texts of ASCII characters; undefined: none of them has the word. */
export function asciiWordRegexp(pattern: Pattern): string | undefined {
  return possible(wordIn(pattern, ASCII))
}

function possible(regexp: string): string | undefined {
  return regexp.includes(NEVER) ? undefined : regexp
}

function phraseIn(text: string, alphabet: Alphabet): string {
  const characters = [...text]
  const first = characters[0] ?? ''
  const last = characters.at(-1) ?? ''
  const before = isWordCharacter(first) ? alphabet.before : ''
  const after = isWordCharacter(last) ? alphabet.after : ''
  return before + literalRegexp(text, alphabet) + after
}

function wordIn(pattern: Pattern, alphabet: Alphabet): string {
  const { word, before, after, noSpace, punctuation } = alphabet
  const parts = pattern.map((part, index) => {
    if (part.kind === 'run') return `${noSpace}*`
    if (part.kind === 'text') return literalRegexp(part.text, alphabet)
    if (index === 0 && pattern.length > 1) return `(?:${before}${word}|${punctuation})`
    return index === pattern.length - 1 && index > 0
      ? `(?:${word}${after}|${punctuation})`
      : noSpace
  })
  if (pattern.length === 1 && pattern[0]?.kind === 'one') {
    return `(?:${before}${word}${after}|${punctuation})`
  }
  const first = pattern[0]
  const last = pattern.at(-1)
  const isWordFirst = first?.kind === 'text' && isWordCharacter([...first.text][0] ?? '')
  const isWordLast = last?.kind === 'text' && isWordCharacter([...last.text].at(-1) ?? '')
  return (isWordFirst ? before : '') + parts.join('') + (isWordLast ? after : '')
}

/** Whole text against a pattern, any character for a wildcard; case ignored. */
export function wholeRegexp(pattern: Pattern): string {
  return `^${pattern.map((part) => wholePart(part, literalCharacter)).join('')}$`
}

/** As wholeRegexp, letter case told apart. */
export function wholeExactRegexp(pattern: Pattern): string {
  return `^${pattern.map((part) => wholePart(part, escapeCharacter)).join('')}$`
}

function wholePart(part: Pattern[number], literal: (character: string) => string): string {
  if (part.kind === 'run') return '(?s:.*)'
  return part.kind === 'one' ? '(?s:.)' : [...part.text].map(literal).join('')
}

function literalRegexp(text: string, alphabet: Alphabet): string {
  let regexp = ''
  let isInSpace = false
  for (const character of text) {
    const isWhite = isSpace(character)
    if (!isWhite)
      regexp += alphabet.isAscii ? asciiCharacter(character) : literalCharacter(character)
    else if (!isInSpace) regexp += alphabet.spaces
    isInSpace = isWhite
  }
  return regexp
}

function literalCharacter(character: string): string {
  return oneOf([...charactersFoldingTo(foldCase(character))])
}

function asciiCharacter(character: string): string {
  const same = [...charactersFoldingTo(foldCase(character))]
  const ascii = same.filter((one) => (one.codePointAt(0) ?? 0) < 0x80)
  return ascii.length === 0 ? NEVER : oneOf(ascii)
}

function oneOf(characters: readonly string[]): string {
  const escaped = characters.map(escapeCharacter).join('')
  return characters.length === 1 ? escaped : `[${escaped}]`
}

/** ASCII letters and digits as they are, all else by code. */
function escapeCharacter(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
