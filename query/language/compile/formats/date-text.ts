// Moments as text in SQL: Java's date letters, as schemas/date-format.ts prints them.
import {
  addMilliseconds,
  DAYS,
  type DatePart,
  MONTHS,
  readDatePattern,
} from '../../../../schemas/date-format.ts'
import type { CompileContext } from '../compile-context.ts'
import type { Operand } from '../operand.ts'
import type { SqlParams } from '../sql-params.ts'

export type DateOperand = Operand & { readonly kind: 'date' }

/** As a cell shows it: system date format, milliseconds when they are not zero. '' for NULL. */
export function systemDateText(operand: DateOperand, context: CompileContext): string {
  const { dateFormat, timeZone, params } = context
  const parts = readDatePattern(dateFormat)
  const moment = localMoment(operand, timeZone, params)
  const exact = addMilliseconds(parts)
  const plain = partsSql(parts, moment, params)
  if (exact.length === parts.length) return present(operand, plain)
  const isWhole = `toMillisecond(${moment}) = 0`
  return present(operand, `if(${isWhole}, ${plain}, ${partsSql(exact, moment, params)})`)
}

/** In a pattern and zone of the query. */
export function dateText(
  operand: DateOperand,
  { pattern, zone }: { pattern: string; zone: string },
  { params }: CompileContext,
): string {
  const moment = localMoment(operand, zone, params)
  return present(operand, partsSql(readDatePattern(pattern), moment, params))
}

function present({ sql }: DateOperand, text: string): string {
  return `ifNull(if(isNull(${sql}), '', ${text}), '')`
}

/** DateTime64 in the zone. */
function localMoment({ sql, unitsPerMs }: DateOperand, zone: string, params: SqlParams): string {
  const moment = unitsPerMs === 1 ? `fromUnixTimestamp64Milli(toInt64(ifNull(${sql}, 0)))` : sql
  return `toTimeZone(${moment}, ${params.text(zone)})`
}

function partsSql(parts: readonly DatePart[], moment: string, params: SqlParams): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? params.text(part) : fieldSql(part, moment),
  )
  if (texts.length === 0) return "''"
  return texts.length === 1 ? `toString(${texts[0]})` : `concat(${texts.join(', ')})`
}

function fieldSql({ letter, width }: Exclude<DatePart, string>, moment: string): string {
  const digits = (number: string) => padded(number, width)
  const hour = `toHour(${moment})`
  switch (letter) {
    case 'y':
      return width === 2 ? padded(`toYear(${moment}) % 100`, 2) : digits(`toYear(${moment})`)
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
      const milliseconds = padded(`toMillisecond(${moment})`, 3)
      return `substring(rightPad(${milliseconds}, ${Math.max(3, width)}, '0'), 1, ${width})`
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
  const text = `toString(${number})`
  return width === 1
    ? text
    : `if(length(${text}) >= ${width}, ${text}, leftPad(${text}, ${width}, '0'))`
}

function quoted(names: readonly string[], width: number): string {
  return names.map((name) => `'${width >= 4 ? name : name.slice(0, 3)}'`).join(', ')
}
