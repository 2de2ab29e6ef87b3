// Texts of the data read as moments, Nullable(Int64) milliseconds
// (search-language#dates-and-time-zones).
import { readDatePattern } from '../../../../schemas/time/date-format.ts'
import type { CompileContext } from '../compile-context.ts'

const ISO =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$'
/** Letters that the engine reads as Java writes them. */
const READABLE = 'yMdEaHhKkmsS'

/** `MMM`, `MMMM`: a month's name. */
function isName({ letter, width }: { letter: string; width: number }): boolean {
  return letter === 'M' && width > 2
}

/** A quick look at a text: true of every date. */
export function mayBeDateSql(text: string, { dateFormat }: CompileContext): string {
  const [first] = readDatePattern(dateFormat)
  const beginsWithDigit =
    typeof first === 'object' && 'yMdHhKkmsS'.includes(first.letter) && !isName(first)
  const isLong = `length(${text}) BETWEEN 6 AND 64`
  return beginsWithDigit ? `(${text} >= '0' AND ${text} < ':' AND ${isLong})` : isLong
}

/** Milliseconds, ISO 8601 or the system date format. */
export function readMomentSql(text: string, context: CompileContext): string {
  return `if(match(${text}, '^[0-9]{1,15}$'), toInt64OrNull(${text}), ${readDateSql(text, context)})`
}

/** ISO 8601 or the system date format. */
export function readDateSql(
  text: string,
  { params, timeZone, dateFormat }: CompileContext,
): string {
  const zone = params.text(timeZone)
  const iso = `toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${text}, 3, ${zone}))`
  const isReadable = readDatePattern(dateFormat).every(
    (part) => typeof part === 'string' || READABLE.includes(part.letter),
  )
  const own = isReadable
    ? `toUnixTimestamp64Milli(parseDateTime64InJodaSyntaxOrNull(${text}, ${params.text(dateFormat)}, ${zone}))`
    : 'NULL'
  return `if(match(${text}, '${ISO}'), ${iso}, ${own})`
}
