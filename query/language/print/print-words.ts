// How single words, texts and columns are printed so that reading them again gives the same.
import { isSpace } from '../parse/input.ts'
import type { ColumnRef, Pattern } from '../tree.ts'

/** Letters, digits, `_` and `.` need no quotes. */
const SIMPLE = /^[A-Za-z0-9_.]+$/
const SPECIAL = new Set('"(),|=<>*?\\[]!')
const RESERVED = new Set(
  `and or not in as by if asc desc to null only format transaction group interval contains starts ends with between within
  matches exists distinct time`.split(/\s+/),
)

export function printQuoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** A word or name with wildcards, every special character escaped. */
export function printPattern(pattern: Pattern): string {
  let text = ''
  for (const part of pattern) {
    if (part.kind === 'run') text += '*'
    else if (part.kind === 'one') text += '?'
    else text += escapeWord(part.text)
  }
  return RESERVED.has(text.toLowerCase()) ? `\\${text}` : text
}

export function printColumn({ name, origin }: ColumnRef): string {
  const isSimple = SIMPLE.test(name) && !RESERVED.has(name.toLowerCase())
  const isPrefixed = /^(column|event)\./i.test(name)
  if (origin === 'parsed') return `column.${printQuoted(name)}`
  if (origin === 'builtIn') return `event.${printQuoted(name)}`
  return isSimple && !isPrefixed ? name : printQuoted(name)
}

export function printName(name: string): string {
  return SIMPLE.test(name) && !RESERVED.has(name.toLowerCase()) ? name : printQuoted(name)
}

/** Names in scopes may hold spaces; words and signs that end them do not. */
export function printScopeName(name: string): string {
  return /[,|()"*?\\]|(?:^|\s)(?:and|or|not)(?:\s|$)/i.test(name) ? printQuoted(name) : name
}

/** A value of a test. */
export function printValue(value: string): string {
  const isPlain = /^[\p{L}\p{N}_.:/@-]+$/u.test(value) && !/^(?:and|or|not|in|null)$/i.test(value)
  return isPlain ? value : printQuoted(value)
}

export function printAlias(alias: string | null): string {
  return alias === null ? '' : ` as ${printName(alias)}`
}

function escapeWord(text: string): string {
  let escaped = ''
  for (const character of text) {
    escaped += isSpace(character) || SPECIAL.has(character) ? `\\${character}` : character
  }
  return escaped
}
