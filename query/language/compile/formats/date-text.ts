// Moments as text in SQL: Java's date letters, as schemas/time/date-format.ts prints them.
import {
  addMilliseconds,
  DAYS,
  type DatePart,
  MONTHS,
  readDatePattern,
} from '../../../../schemas/time/date-format.ts'
import type { CompileContext } from '../compile-context.ts'
import { letSql } from '../let-sql.ts'
import type { SqlParams } from '../sql-params.ts'
import type { Operand } from '../tests/operand.ts'

export type DateOperand = Operand & { readonly kind: 'date' }

/** As a cell shows it: system date format, milliseconds when they are not zero. '' for NULL. */
export function systemDateText(operand: DateOperand, context: CompileContext): string {
  const { dateFormat, timeZone, params } = context
  const plain = readDatePattern(dateFormat)
  const exact = addMilliseconds(plain)
  const isExact = hasNanoseconds(operand)
  const partsOf = (parts: readonly DatePart[], moment: string) =>
    partsSql(parts, { moment, isExact }, params)
  const print = (moment: string) =>
    exact.length === plain.length
      ? partsOf(plain, moment)
      : `if(toMillisecond(${moment}) = 0, ${partsOf(plain, moment)}, ${partsOf(exact, moment)})`
  return printed(operand, timeZone, print, context)
}

/** In a pattern and zone of the query. */
export function dateText(
  operand: DateOperand,
  { pattern, zone }: { pattern: string; zone: string },
  context: CompileContext,
): string {
  const parts = readDatePattern(pattern)
  const isExact = hasNanoseconds(operand)
  const print = (moment: string) => partsSql(parts, { moment, isExact }, context.params)
  return printed(operand, zone, print, context)
}

/** Events have nanoseconds, tables only milliseconds. */
function hasNanoseconds({ unitsPerMs }: DateOperand): boolean {
  return unitsPerMs === 1_000_000
}

/** `isExact`: it has digits below the millisecond, and its year is one of an event. */
type Moment = { readonly moment: string; readonly isExact: boolean }

/** `print` over a DateTime64 in the zone. */
function printed(
  { sql, unitsPerMs }: DateOperand,
  zone: string,
  print: (moment: string) => string,
  context: CompileContext,
): string {
  const name = context.params.text(zone)
  if (unitsPerMs === 1_000_000) return letSql(`toTimeZone(${sql}, ${name})`, print, context)
  // For tables, where a group may have no moment.
  const moment = `toTimeZone(fromUnixTimestamp64Milli(toInt64(ifNull(${sql}, 0))), ${name})`
  return `if(isNull(${sql}), '', ${letSql(moment, print, context)})`
}

function partsSql(parts: readonly DatePart[], moment: Moment, params: SqlParams): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? params.text(part) : fieldSql(part, moment),
  )
  if (texts.length === 0) return "''"
  return texts.length === 1 ? `toString(${texts[0]})` : `concat(${texts.join(', ')})`
}

function fieldSql(
  { letter, width }: Exclude<DatePart, string>,
  { moment, isExact }: Moment,
): string {
  const digits = (number: string) => padded(number, width)
  const hour = `toHour(${moment})`
  switch (letter) {
    case 'y':
      if (width === 2) return padded(`toYear(${moment}) % 100`, 2)
      // Cut by no padding: a year has four digits.
      return padded(`toYear(${moment})`, width === 3 ? 1 : width)
    case 'M':
      if (width < 3) return digits(`toMonth(${moment})`)
      return `[${quoted(MONTHS, width)}][toMonth(${moment})]`
    case 'd':
      return digits(`toDayOfMonth(${moment})`)
    case 'E':
      // toDayOfWeek counts from Monday = 1, the list from Sunday.
      return `[${quoted(DAYS, Math.max(3, width))}][toDayOfWeek(${moment}) % 7 + 1]`
    case 'a':
      return `if(${hour} < 12, 'AM', 'PM')`
    case 'H':
      return digits(hour)
    case 'k':
      return digits(`if(${hour} = 0, 24, ${hour})`)
    case 'K':
      return digits(`${hour} % 12`)
    case 'h':
      return digits(`if(${hour} % 12 = 0, 12, ${hour} % 12)`)
    case 'm':
      return digits(`toMinute(${moment})`)
    case 's':
      return digits(`toSecond(${moment})`)
    case 'S': {
      const fraction =
        width > 3 && isExact
          ? padded(`toUnixTimestamp64Nano(${moment}) % 1000000000`, 9)
          : padded(`toMillisecond(${moment})`, 3)
      return `substring(rightPad(${fraction}, ${Math.max(9, width)}, '0'), 1, ${width})`
    }
    default:
      return offsetSql(letter, width, moment)
  }
}

/** X and Z. */
function offsetSql(letter: string, width: number, moment: string): string {
  const minutes = `intDiv(timeZoneOffset(${moment}), 60)`
  const hours = padded(`intDiv(abs(${minutes}), 60)`, 2)
  const rest = padded(`abs(${minutes}) % 60`, 2)
  const sign = `if(${minutes} < 0, '-', '+')`
  if (letter === 'Z') return `concat(${sign}, ${hours}, ${rest})`
  const behind =
    width === 1
      ? `if(abs(${minutes}) % 60 = 0, '', ${rest})`
      : width === 2
        ? rest
        : `concat(':', ${rest})`
  return `if(${minutes} = 0, 'Z', concat(${sign}, ${hours}, ${behind}))`
}

function padded(number: string, width: number): string {
  return width === 1 ? `toString(${number})` : `leftPad(toString(${number}), ${width}, '0')`
}

function quoted(names: readonly string[], width: number): string {
  return names.map((name) => `'${width >= 4 ? name : name.slice(0, 3)}'`).join(', ')
}
