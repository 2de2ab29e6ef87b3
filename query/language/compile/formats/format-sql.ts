// A format (search-language#formats) as SQL: the text that a cell shows, or that `group by … in …
// format` groups by. One file a kind of format.
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Format } from '../../tree.ts'
import { decimalValue, numericValue, shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { checkRegexp } from '../regexp/check-regexp.ts'
import { replacementSql } from '../regexp/replacement-sql.ts'
import type { Operand } from '../tests/operand.ts'
import { consoleLink } from './console-link.ts'
import { formatDate } from './date-format-sql.ts'
import { formatDecimal } from './decimal-pattern.ts'
import { expressionSql } from './expression.ts'
import type { RowColumns } from './row-columns.ts'
import { shortNumber } from './short-number.ts'
import { templateSql } from './template.ts'
import { formatDuration, formatVolume } from './units.ts'

/** How many arguments each takes: at least, at most. */
const COUNTS: Readonly<Record<Format['type'], readonly [number, number]>> = {
  number: [0, 1],
  simple: [1, 1],
  time: [0, 2],
  volume: [0, 2],
  date: [0, 2],
  regexp: [1, 2],
  expression: [1, 1],
  query: [1, 1],
}

/** String SQL, never NULL, '' where there is nothing to show. `operand`: the formatted column
 *  (`simple`, `expression` and `query` read `row` alone). A value that the format cannot read is
 *  shown as it is. */
export function formatSql(
  format: Format,
  operand: Operand,
  row: RowColumns,
  context: CompileContext,
): string {
  checkCount(format)
  const [first = ''] = format.arguments
  const start = argumentStart(format, 0)
  const asItIs = () => shownText(operand, context)
  switch (format.type) {
    case 'simple':
      return templateSql(first, row, context)
    case 'expression':
      return shortNumber(expressionSql(first, start, row, context), context)
    case 'query':
      return consoleLink(first, row, context)
    case 'number': {
      const pattern = format.arguments[0]
      const number = decimalValue(operand)
      return orElse(formatDecimal(number, pattern ?? '#.##', start, context), asItIs())
    }
    case 'time':
      return orElse(formatDuration(numericValue(operand), units(format), context), asItIs())
    case 'volume':
      return orElse(formatVolume(numericValue(operand), units(format), context), asItIs())
    case 'date':
      return operand.kind === 'date'
        ? formatDate(operand, format, context)
        : checkedDate(format, asItIs(), context)
    case 'regexp':
      return formatRegexp(asItIs(), format, context)
  }
}

/** What a format that adds a column puts into it, and how that is shown. */
export function addedColumn(
  format: Format,
  row: RowColumns,
  context: CompileContext,
): {
  readonly sql: string
  readonly cell: 'text' | 'number'
  printed(id: string): string
} {
  checkCount(format)
  const [first = ''] = format.arguments
  if (format.type === 'expression') {
    const sql = expressionSql(first, argumentStart(format, 0), row, context)
    return { sql, cell: 'number', printed: (id) => shortNumber(id, context) }
  }
  const sql =
    format.type === 'query' ? consoleLink(first, row, context) : templateSql(first, row, context)
  return { sql, cell: 'text', printed: (id) => id }
}

function formatRegexp(text: string, format: Format, { params }: CompileContext): string {
  const [regexp = '', replacement] = format.arguments
  checkRegexp(regexp, argumentStart(format, 0), params)
  if (replacement === undefined) return `extract(${text}, ${params.text(regexp)})`
  return replacementSql(text, { regexp, replacement, start: argumentStart(format, 1) }, params)
}

/** The arguments are checked whatever the column is. */
function checkedDate(format: Format, text: string, context: CompileContext): string {
  formatDate({ kind: 'date', sql: 'timestamp', unitsPerMs: 1_000_000 }, format, context)
  return text
}

function checkCount(format: Format): void {
  const [least, most] = COUNTS[format.type]
  const count = format.arguments.length
  if (count >= least && count <= most) return
  const expected =
    least === most
      ? `one argument`
      : least === 0
        ? `at most ${most === 1 ? 'one argument' : 'two arguments'}`
        : 'one or two arguments'
  raiseQuery(`the format ${format.type} takes ${expected}`, argumentStart(format, most))
}

function units(format: Format) {
  const at = (index: number) => {
    const text = format.arguments[index]
    return text === undefined ? undefined : { text, start: argumentStart(format, index) }
  }
  return format.arguments.length === 2
    ? { input: at(0), output: at(1) }
    : { input: undefined, output: at(0) }
}

function argumentStart(format: Format, index: number): number {
  return format.argumentStarts[index] ?? format.start
}

/** `text` is NULL where the value is no number. */
function orElse(text: string, asItIs: string): string {
  return `ifNull(${text}, ${asItIs})`
}
