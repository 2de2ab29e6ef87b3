// The format number (search-language#formats): a decimal pattern such as `#,##0.00` or `0.#%`. `0`
// is a digit that is always printed, `#` one only if needed, `,` groups, `%` means times 100; text
// around the digits is printed, in single quotes if it holds one of these. A digit always stands
// before the point. Rounded half away from zero.
import { raiseQuery } from '../../parse/raise-query.ts'
import type { CompileContext } from '../compile-context.ts'
import { letSql } from '../let-sql.ts'

type Pattern = {
  readonly before: string
  readonly behind: string
  /** Digits before the point, at least. */
  readonly leastWhole: number
  /** Digits after the point, at least and at most. */
  readonly leastFraction: number
  readonly mostFraction: number
  /** Digits of a group, 0: no groups. */
  readonly group: number
  readonly isPercent: boolean
}

const MAX_DIGITS = 30

/** Nullable(String), NULL where the number is. `number`: Nullable(Decimal(76, 38)). */
export function formatDecimal(
  number: string,
  text: string,
  start: number,
  context: CompileContext,
): string {
  const { params } = context
  const pattern = parsePattern(text, start)
  const { mostFraction, isPercent } = pattern
  // The digits stay the same when the point moves by two places.
  const rounded = `round(${number}, ${isPercent ? mostFraction + 2 : mostFraction})`
  const digits = isPercent
    ? `toString(CAST(${rounded}, 'Nullable(Decimal(76, 36))') * 100)`
    : `toString(${rounded})`
  const print = (value: string) => {
    const whole = letSql(
      `extract(${value}, '[0-9]+')`,
      (own) => `leftPad(${own}, greatest(${pattern.leastWhole}, length(${own})), '0')`,
      context,
    )
    const parts = [
      params.text(pattern.before),
      `if(startsWith(${value}, '-'), '-', '')`,
      pattern.group === 0 ? whole : grouped(whole, pattern.group),
      fractionSql(`extract(${value}, '[.]([0-9]*)$')`, pattern, context),
      params.text(pattern.behind),
    ]
    return `if(isNull(${value}), NULL, concat(${parts.join(', ')}))`
  }
  return letSql(digits, print, context)
}

function grouped(whole: string, size: number): string {
  const marked = `reverse(replaceRegexpAll(reverse(${whole}), '([0-9]{${size}})', '\\\\1,'))`
  return `trimLeft(${marked}, ',')`
}

function fractionSql(
  fraction: string,
  { leastFraction, mostFraction }: Pattern,
  context: CompileContext,
): string {
  if (mostFraction === 0) return "''"
  const print = (digits: string) => {
    const padded = `rightPad(${digits}, greatest(${leastFraction}, length(${digits})), '0')`
    return leastFraction > 0
      ? `concat('.', ${padded})`
      : `if(${digits} = '', '', concat('.', ${digits}))`
  }
  return letSql(fraction, print, context)
}

function parsePattern(text: string, start: number): Pattern {
  // Looking ahead for a digit says where the text before it ends: without that, every place is
  // tried.
  const match =
    /^((?:[^#0,.']|'[^']*')*)(?=[#0,.])([#0,]*)(?:\.([#0]*))?((?:[^#0,.']|'[^']*')*)$/s.exec(text)
  const [, before = '', whole = '', fraction = '', behind = ''] = match ?? []
  const digits = `${whole}${fraction}`.replaceAll(',', '')
  if (
    !match ||
    digits === '' ||
    !/^#*0*$/.test(whole.replaceAll(',', '')) ||
    !/^0*#*$/.test(fraction)
  ) {
    return raiseQuery('a decimal pattern such as #.##, 0.00, #,##0 or 0.#% is expected', start)
  }
  if (digits.length > MAX_DIGITS) {
    return raiseQuery(`a decimal pattern has at most ${MAX_DIGITS} digits`, start)
  }
  const comma = whole.lastIndexOf(',')
  if (comma === whole.length - 1 && comma >= 0) {
    return raiseQuery('digits are expected after the comma of the decimal pattern', start)
  }
  const bare = (given: string) => given.replace(/'([^']*)'/g, (_, quoted) => quoted || "'")
  return {
    before: bare(before),
    behind: bare(behind),
    leastWhole: Math.max(1, count(whole, '0')),
    leastFraction: count(fraction, '0'),
    mostFraction: fraction.length,
    group: comma < 0 ? 0 : whole.length - comma - 1,
    isPercent: /%/.test(`${before}${behind}`.replace(/'[^']*'/g, '')),
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
