// Tests that would have to work something out, which none does: `duration > 2*budget`, `bytes >
// column.bytes_in * 2`; and values with wildcards after `<` and `>`, where `*` is no wildcard.
import { builtInColumn } from '../../built-in-columns.ts'
import type { ColumnNames } from '../../column-names.ts'
import { patternText } from '../../parse/input.ts'
import type { Test, Value } from '../../tree.ts'
import type { Doubt } from '../neighbours.ts'

const WAY =
  'what is worked out is shown first: | display X in expression format("column.a - 2 * column.b") | where X > 0'
const SECONDS = /^\d{9,10}$/

export function workedOut(
  { column, check, end }: Test,
  text: string,
  names: ColumnNames,
): Doubt | undefined {
  if (check.kind === 'between')
    return wildcard(check.low, 'between', names) ?? wildcard(check.high, 'between', names)
  if (check.kind !== 'compare' && check.kind !== 'column') return undefined
  const after = sumAfter(text.slice(end), names)
  if (after !== undefined) return sum(`${text.slice(column.start, end)}${after}`)
  if (check.kind === 'column') return undefined
  const { operator, value } = check
  const written = patternText(value.pattern)
  const isTime = column.origin !== 'parsed' && builtInColumn(column.name) === 'timestamp'
  if (isTime && SECONDS.test(written))
    return {
      code: 'query.other_language',
      message: `${written} is a time in milliseconds, of January 1970: these seconds are written ${written}000`,
      edit: { start: value.start, end: value.end, text: `${written}000` },
    }
  if (!value.isQuoted && isSum(written, names)) return sum(written)
  return /[<>]/.test(operator) ? wildcard(value, operator, names) : undefined
}

function sum(written: string): Doubt {
  return {
    code: 'query.other_language',
    message: `'${written}' is not worked out, a test compares with one value or column: ${WAY}`,
  }
}

/** `400+4`, `budget+1000`, `column.bytes_in-10` */
function isSum(written: string, names: ColumnNames): boolean {
  const [, first = '', second = ''] = /^([^+*/-]+)[+*/-]([^+*/-]+)$/.exec(written) ?? []
  if (second === '' || names.has(written)) return false
  const isColumn = (name: string) => names.has(name.replace(/^column\./i, ''))
  const isNumber = (one: string) => /^\d+(?:\.\d+)?$/.test(one)
  if (isNumber(first) && isNumber(second)) return /^\d+(?:\.\d+)?\+/.test(written)
  return (isColumn(first) || isNumber(first)) && (isColumn(second) || isNumber(second))
}

/** ` * 2`, ` - 1000`, ` / column.n` after a test. */
function sumAfter(after: string, names: ColumnNames): string | undefined {
  const [written, word = ''] = /^\s*(?:\*\s*|[/+-]\s+)([\p{L}\p{N}_.]+)/u.exec(after) ?? []
  if (written === undefined) return undefined
  const isNumber = /^\d+(?:\.\d+)?$/.test(word)
  return isNumber || names.has(word.replace(/^column\./i, '')) ? written : undefined
}

function wildcard(value: Value, operator: string, names: ColumnNames): Doubt | undefined {
  if (value.isQuoted || value.pattern.every(({ kind }) => kind === 'text')) return undefined
  const written = patternText(value.pattern)
  const parts = written.split('*')
  const isProduct =
    parts.length === 2 &&
    parts.every((part) => /^\d+(?:\.\d+)?$/.test(part) || names.has(part.replace(/^column\./i, '')))
  if (isProduct) return sum(written)
  return {
    code: 'query.compared_as_text',
    message: `'${written}' is compared as a text after ${operator}: * and ? are wildcards after =, != and in lists only`,
  }
}
