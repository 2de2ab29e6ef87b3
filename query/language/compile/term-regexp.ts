// The exact test of a term as an RE2 expression over one text (search-language 2.1). Letter case is ignored by classes of
// characters, not by (?i), which folds by other rules (ſ = s, ς = σ). No term can match over U+001F, which parts the values.
import { foldCase } from '../../../schemas/store/text-index.ts'
import { isSpace } from '../input.ts'
import type { Pattern } from '../tree.ts'
import { charactersFoldingTo } from './fold-case.ts'

const WORD_CHARACTER = '[\\p{L}\\p{Nd}_]'
const BEFORE = '(?:^|[^\\p{L}\\p{Nd}_])'
const AFTER = '(?:$|[^\\p{L}\\p{Nd}_])'
const SPACES = '[\\t-\\r \\x{85}\\x{FEFF}\\p{Z}]+'
const NO_SPACE = '[^\\t-\\r \\x{85}\\x{FEFF}\\p{Z}\\x{1F}]'
/** One character that is neither white space nor part of a word. */
const PUNCTUATION = '[^\\t-\\r \\x{85}\\x{FEFF}\\p{Z}\\x{1F}\\p{L}\\p{Nd}_]'

export function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{Nd}_]$/u.test(character)
}

/** A phrase: the characters between the quotes, runs of white space equal, words whole at both ends. */
export function phraseRegexp(text: string): string {
  const characters = [...text]
  const first = characters[0] ?? ''
  const last = characters.at(-1) ?? ''
  const before = isWordCharacter(first) ? BEFORE : ''
  return before + literalRegexp(text) + (isWordCharacter(last) ? AFTER : '')
}

/** A word: exact characters and wildcards, which stay inside a run of characters without white space. */
export function wordRegexp(pattern: Pattern): string {
  const parts = pattern.map((part, index) => {
    if (part.kind === 'run') return `${NO_SPACE}*`
    if (part.kind === 'text') return literalRegexp(part.text)
    if (index === 0 && pattern.length > 1) return `(?:${BEFORE}${WORD_CHARACTER}|${PUNCTUATION})`
    return index === pattern.length - 1 && index > 0
      ? `(?:${WORD_CHARACTER}${AFTER}|${PUNCTUATION})`
      : NO_SPACE
  })
  if (pattern.length === 1 && pattern[0]?.kind === 'one') {
    return `(?:${BEFORE}${WORD_CHARACTER}${AFTER}|${PUNCTUATION})`
  }
  const first = pattern[0]
  const last = pattern.at(-1)
  const isWordFirst = first?.kind === 'text' && isWordCharacter([...first.text][0] ?? '')
  const isWordLast = last?.kind === 'text' && isWordCharacter([...last.text].at(-1) ?? '')
  return (isWordFirst ? BEFORE : '') + parts.join('') + (isWordLast ? AFTER : '')
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

function literalRegexp(text: string): string {
  let regexp = ''
  let isInSpace = false
  for (const character of text) {
    const isWhite = isSpace(character)
    if (!isWhite) regexp += literalCharacter(character)
    else if (!isInSpace) regexp += SPACES
    isInSpace = isWhite
  }
  return regexp
}

function literalCharacter(character: string): string {
  const same = charactersFoldingTo(foldCase(character))
  return [...same].length === 1
    ? escapeCharacter(same)
    : `[${[...same].map(escapeCharacter).join('')}]`
}

/** ASCII letters and digits as they are, all else by code. */
function escapeCharacter(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
