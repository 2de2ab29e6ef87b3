// What to write instead of a word or value of a filter that is written so elsewhere.
import { printColumn, printQuoted } from '../print/print-words.ts'
import type { Span } from '../tree.ts'
import type { Edit } from './edit.ts'
import { sameTest } from './foreign/foreign-calls.ts'
import { sameColumn } from './foreign/foreign-words.ts'

/** Words of a filter, lower case. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['&', 'and'],
  ['!', 'not'],
  ['~', 'matches'],
  ['!~', 'not matches'],
])
/** Between a column and a value, lower case. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['rlike', 'matches'],
  ['regexp', 'matches'],
  ['startswith', 'starts with'],
  ['startswith_cs', 'starts with'],
  ['hasprefix', 'starts with'],
  ['endswith', 'ends with'],
  ['hassuffix', 'ends with'],
  ['has', 'contains'],
  ['has_cs', 'contains'],
  ['contains_cs', 'contains'],
  ['is', '='],
])

export function wordEdit({ start, end }: Span, word: string): Edit | undefined {
  const text = WORDS.get(word.toLowerCase())
  return text === undefined ? undefined : { start, end, text }
}

/** `'disk full'`: up to the next `'`. */
export function quotesEdit(text: string, start: number): Edit | undefined {
  const close = text.indexOf("'", start + 1)
  if (close <= start + 1) return undefined
  return { start, end: close + 1, text: printQuoted(text.slice(start + 1, close)) }
}

/** `level:ERROR`, `-status:500`, `_time:5m`, `status:[400 TO 499]`: the word, and what comes after
 *  it in `text`. */
export function colonEdit({ start, end }: Span, word: string, text: string): Edit | undefined {
  const [, sign = '', name = '', value = ''] = /^([-!@+]?)([\w.]+):(.*)$/.exec(word) ?? []
  const not = sign === '-' || sign === '!' ? 'not ' : ''
  const written = writeColon(name, value, text.slice(end))
  if (written === undefined) return undefined
  return { start, end: end + (written.more ?? 0), text: not + written.text }
}

/** `more`: characters after the word that it takes with it. */
type Written = { readonly text: string; readonly more?: number }

function writeColon(name: string, value: string, after: string): Written | undefined {
  const folded = name.toLowerCase()
  if (folded === '_time')
    return /^\d+[smhdw]$/.test(value) ? { text: `timestamp > now-${value}` } : undefined
  if (folded === '_exists_') return value === '' ? undefined : { text: `${value} exists` }
  const same = sameColumn(name)
  const isWild = /[*?]/.test(value)
  if (value === '~' && after.startsWith('"')) return { text: `${same ?? name} matches ` }
  if (same === 'timestamp') return undefined
  if (same !== undefined)
    return value === '' ? undefined : { text: `${same} ${isWild ? '=' : 'contains'} ${value}` }
  if (name.startsWith('_')) return undefined
  if (value === '' && after.startsWith('"')) return { text: `${name} contains ` }
  const [list, inside = ''] = /^\(([\w.\s-]+)\)/.exec(after) ?? []
  if (value === '' && list !== undefined)
    return { text: `${name} in (${inside.split(/(?<!\s)\s+OR\s+/).join(', ')})`, more: list.length }
  const [range, low = '', high = ''] = /^[[{](\S+) TO (\S+?)[\]}]/.exec(value + after) ?? []
  const more = (range?.length ?? 0) - value.length
  if (range !== undefined && high === '*') return { text: `${name} >= ${low}`, more }
  if (range !== undefined && low === '*') return { text: `${name} <= ${high}`, more }
  if (range !== undefined) return { text: `${name} between ${low} and ${high}`, more }
  const [, operator = '=', bare = ''] = /^(>=|<=|>|<)?(.*)$/.exec(value) ?? []
  return bare === '' || /^[[{]/.test(bare) ? undefined : { text: `${name} ${operator} ${bare}` }
}

/** `message like "%x%"`, `path startswith "/a"`: the word, and what comes after it in `text`. */
export function operatorEdit({ start, end }: Span, word: string, text: string): Edit | undefined {
  const folded = word.toLowerCase()
  const after = text.slice(end)
  const [isNull, isNot] = /^\s+(not\s+)?null\b/i.exec(after) ?? []
  if (folded === 'is' && isNull !== undefined)
    return { start, end: end + isNull.length, text: isNot === undefined ? '= null' : '!= null' }
  const same = OPERATORS.get(folded)
  if (same !== undefined) return { start, end, text: same }
  const [quoted, , like = ''] = /^\s*(["'])([^"'\\]*)\1/.exec(after) ?? []
  const bare = like.replace(/^%|%$/g, '')
  if (quoted === undefined || bare === '' || /[%_]/.test(bare)) return undefined
  return { start, end: end + quoted.length, text: `${likeOperator(like)} ${printQuoted(bare)}` }
}

function likeOperator(like: string): string {
  if (like.startsWith('%')) return like.endsWith('%') ? 'contains' : 'ends with'
  return like.endsWith('%') ? 'starts with' : '='
}

/** `level =~ "ERR"`: everything after the column. */
export function regexpEdit(
  from: number,
  { end }: Span,
  value: string,
  next: string,
): Edit | undefined {
  const text = value.slice(1)
  if (text === '' && !/^\s*"/.test(next)) return undefined
  return {
    start: from,
    end,
    text:
      ` matches ${text === '' ? '' : printQuoted(text)}`.trimEnd() +
      (next.startsWith('"') ? ' ' : ''),
  }
}

/** `isnull(user)`. */
export function callEdit({ start, end }: Span, name: string, text: string): Edit | undefined {
  const [inside, column = ''] = /^\(\s*([\w.]+)\s*\)/.exec(text.slice(end)) ?? []
  const test = inside === undefined ? undefined : sameTest(name, column)
  return test === undefined ? undefined : { start, end: end + (inside?.length ?? 0), text: test }
}

export function parsedColumnEdit({ start, end }: Span, name: string): Edit {
  const isSimple = /^[\w.]+$/.test(name)
  const text = isSimple
    ? `column.${name}`
    : printColumn({ kind: 'column', name, origin: 'parsed', start, end })
  return { start, end, text }
}
