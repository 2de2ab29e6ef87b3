// Regular expressions and patterns of LIKE that are read as a plain text.
import { patternText } from '../../parse/input.ts'
import { printQuoted } from '../../print/print-words.ts'
import type { ColumnRef, CompareOperator, Phrase, Value, Word } from '../../tree.ts'
import type { Doubt } from '../neighbours.ts'

/** Signs that nothing but a regular expression has; `com.shop.*` is a name with a wildcard. */
const REGEXP =
  /^\^|^\.[*+]|\.[*+](?=[\p{L}\p{N}_[(\\])|\\[dwsb](?![\p{L}])|\\[dws][+*]|\[(?:a-z|A-Z|0-9|\^)|\(\?[i:=!<]/u

/** `ERROR|WARN` */
const ALTERNATIVES = /^[\p{L}\p{N}_./-]+(?:\|[\p{L}\p{N}_./-]+)+$/u
/** What the word of `(?i)` is read as. */
const FLAGS = /^\?[ims]{1,3}$/

/** Also between slashes: `/err.*` + `/`. */
function regexpIn(written: string): string | undefined {
  const [, slashed] = /^\/(.+)\/$/.exec(written) ?? []
  if (slashed !== undefined && /\.[*+]|\\[dws]|[[(|]/.test(slashed)) return slashed
  return REGEXP.test(written) ? written : undefined
}

/** `10.0.0.*`, `com.shop.*`: parts of a name, and no regular expression. */
export function isDottedWildcard(text: string): boolean {
  return /^(?:[\w-]+\.){2,}\*$|^(?:\d{1,3}\.)+\*$/.test(text)
}

/** `message = ".*refused"`, `message = %refused%`. */
export function patternAsText(
  column: ColumnRef,
  operator: CompareOperator,
  value: Value,
  text: string,
): Doubt | undefined {
  if (operator !== '=' && operator !== '!=') return undefined
  const written = value.isQuoted ? patternText(value.pattern) : text.slice(value.start, value.end)
  const { end } = value
  const isWild = value.isQuoted && /\.[*+]/.test(written) && !isDottedWildcard(written)
  const regexp = regexpIn(written) ?? (isWild ? written : undefined)
  if (regexp !== undefined) {
    const write = `${operator === '=' ? 'matches' : 'not matches'} ${printRegexp(regexp)}`
    return {
      code: 'query.other_language',
      message: `${operator} compares with the text '${written}': a regular expression is written ${write}`,
      edit: { start: column.end, end, text: ` ${write}` },
    }
  }
  if (value.isQuoted && ALTERNATIVES.test(written)) {
    const list = written.split('|').map((one) => `"${one}"`)
    const write = `${operator === '=' ? 'in' : 'not in'} (${list.join(', ')})`
    return {
      code: 'query.other_language',
      message: `${operator} compares with the text '${written}': several values are written ${write}`,
      edit: { start: column.end, end, text: ` ${write}` },
    }
  }
  const like = likeTest(written)
  if (like === undefined || operator === '!=') return undefined
  return {
    code: 'query.other_language',
    message: `% is no wildcard here: it is written ${like}`,
    edit: { start: column.end, end, text: ` ${like}` },
  }
}

/** `%refused%`; a number with % is a share. */
function likeTest(written: string): string | undefined {
  const [, before, bare = '', after] =
    /^(%)?((?=[\p{N} _-]*\p{L})[\p{L}\p{N} _-]+)(%)?$/u.exec(written) ?? []
  if (before === undefined && after === undefined) return undefined
  const text = /^[\p{L}\p{N}_]+$/u.test(bare) ? bare : printQuoted(bare)
  if (before === undefined) return `starts with ${text}`
  return `${after === undefined ? 'ends with' : 'contains'} ${text}`
}

function printRegexp(regexp: string): string {
  return `"${regexp.replaceAll('"', '\\"')}"`
}

/** `err.*out`, `/err.*` + `/`, `err%`; "time.*out". */
export function patternAsWord(
  { start, end, ...term }: Word | Phrase,
  text: string,
): Doubt | undefined {
  const isPhrase = term.kind === 'phrase'
  const written = isPhrase ? term.text : text.slice(start, end)
  // After `=~` the column stands before it, and that is told.
  if (/[=!]~\s*$/.test(text.slice(Math.max(0, start - 8), start))) return undefined
  if (FLAGS.test(written) && text.charAt(start - 1) === '(' && text.charAt(end) === ')')
    return {
      code: 'query.other_language',
      message: `'(${written})' is searched as a word: words are found in any letter case, leave it out`,
      edit: { start: start - 1, end: end + 1, text: '' },
    }
  const regexp = regexpIn(written)
  if (regexp !== undefined) {
    const write = `message matches ${printRegexp(regexp)}`
    return {
      code: 'query.other_language',
      message: `'${written}' is searched as a text: a regular expression is written ${write}`,
      edit: { start, end, text: write },
    }
  }
  const [, before = '', bare, after = ''] = /^(%?)([\p{L}_]+)(%?)$/u.exec(written) ?? []
  if (isPhrase || bare === undefined || before + after === '') return undefined
  const write = `${before}${bare}${after}`.replaceAll('%', '*')
  return {
    code: 'query.other_language',
    message: `% is no wildcard here: it is written ${write}`,
    edit: { start, end, text: write },
  }
}
