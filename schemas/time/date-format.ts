// Date patterns in Java's letters (setting system.dateFormat, default MM/dd/yyyy HH:mm:ss):
// printing, and reading that takes exactly what printing makes. Letters: y M d E a H h k K m s S X
// Z, text in single quotes. Names are English.
import { isRealLocalTime, type LocalTime, localToUtcMs } from './local-time.ts'

export type DateFormat = {
  readonly pattern: string
  /** `offsetMinutes` east of UTC, for X and Z. */
  print(local: LocalTime, offsetMinutes?: number): string
  /** As `print`, with `.SSS` after the seconds when the milliseconds are not zero
   *  (search-language#the-result-of-a-simple-search). */
  printWithMilliseconds(local: LocalTime, offsetMinutes?: number): string
  /** undefined when the text is not of this pattern, or no such day or hour exists. */
  parse(text: string): { local: LocalTime; offsetMinutes: number | undefined } | undefined
}

type Field = { readonly letter: string; readonly width: number }
/** Literal text, or a letter and how often it stands. */
export type DatePart = string | Field

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const LETTERS = 'yMdEaHhkKmsSXZ'
/** Two-digit years from here on mean 19yy. */
const FIRST_TWO_DIGIT_YEAR = 70

/** Throws RangeError for a letter that is not supported or an open quote. */
export function compileDateFormat(pattern: string): DateFormat {
  const parts = readDatePattern(pattern)
  const withMilliseconds = addMilliseconds(parts)
  const reader = new RegExp(`^${parts.map(readerOf).join('')}$`)
  const fields = parts.filter((part) => typeof part !== 'string')
  const print = (list: readonly DatePart[], local: LocalTime, offsetMinutes: number) => {
    let text = ''
    for (const part of list)
      text += typeof part === 'string' ? part : printField(part, local, offsetMinutes)
    return text
  }
  return {
    pattern,
    print: (local, offsetMinutes = 0) => print(parts, local, offsetMinutes),
    printWithMilliseconds: (local, offsetMinutes = 0) =>
      print(local.millisecond === 0 ? parts : withMilliseconds, local, offsetMinutes),
    parse: (text) => {
      const match = reader.exec(text)
      return match === null ? undefined : fromFields(fields, match.slice(1))
    },
  }
}

/** Throws RangeError as compileDateFormat. */
export function readDatePattern(pattern: string): DatePart[] {
  const parts: DatePart[] = []
  const literal = (text: string) => {
    const last = parts.length - 1
    if (typeof parts[last] === 'string') parts[last] += text
    else parts.push(text)
  }
  let at = 0
  while (at < pattern.length) {
    const character = pattern.charAt(at)
    if (character === "'") {
      const quoted = /'((?:[^']|'')*)'/y
      quoted.lastIndex = at
      const match = quoted.exec(pattern)
      if (match === null) throw new RangeError(`an open quote in the date pattern at ${at + 1}`)
      literal(match[0] === "''" ? "'" : (match[1] ?? '').replaceAll("''", "'"))
      at += match[0].length
    } else if (/[A-Za-z]/.test(character)) {
      let end = at
      while (pattern.charAt(end) === character) end += 1
      if (!LETTERS.includes(character))
        throw new RangeError(`the letter ${character} is not supported in a date pattern`)
      parts.push({ letter: character, width: end - at })
      at = end
    } else {
      literal(character)
      at += 1
    }
  }
  return parts
}

/** With `.SSS` after the seconds, unless milliseconds are printed already. */
export function addMilliseconds(parts: readonly DatePart[]): DatePart[] {
  const has = (letter: string) =>
    parts.some((part) => typeof part !== 'string' && part.letter === letter)
  if (has('S')) return [...parts]
  const seconds = parts.findIndex((part) => typeof part !== 'string' && part.letter === 's')
  const place = seconds === -1 ? parts.length : seconds + 1
  return [...parts.slice(0, place), '.', { letter: 'S', width: 3 }, ...parts.slice(place)]
}

function printField({ letter, width }: Field, local: LocalTime, offsetMinutes: number): string {
  const digits = (value: number) => String(value).padStart(width, '0')
  switch (letter) {
    case 'y':
      return width === 2 ? String(local.year % 100).padStart(2, '0') : digits(local.year)
    case 'M': {
      const name = MONTHS[local.month - 1] ?? ''
      return width >= 4 ? name : width === 3 ? name.slice(0, 3) : digits(local.month)
    }
    case 'd':
      return digits(local.day)
    case 'E': {
      const name = DAYS[new Date(localToUtcMs(local)).getUTCDay()] ?? ''
      return width >= 4 ? name : name.slice(0, 3)
    }
    case 'a':
      return local.hour < 12 ? 'AM' : 'PM'
    case 'H':
      return digits(local.hour)
    case 'k':
      return digits(local.hour === 0 ? 24 : local.hour)
    case 'K':
      return digits(local.hour % 12)
    case 'h':
      return digits(local.hour % 12 === 0 ? 12 : local.hour % 12)
    case 'm':
      return digits(local.minute)
    case 's':
      return digits(local.second)
    case 'S':
      return fraction(local).padEnd(width, '0').slice(0, width)
    default:
      return printOffset(letter, width, offsetMinutes)
  }
}

/** Nine digits. */
function fraction({ millisecond, nanosecond = 0 }: LocalTime): string {
  return String(millisecond).padStart(3, '0') + String(nanosecond).padStart(6, '0')
}

function printOffset(letter: string, width: number, offsetMinutes: number): string {
  if (letter === 'X' && offsetMinutes === 0) return 'Z'
  const total = Math.abs(Math.trunc(offsetMinutes))
  const hours = String(Math.floor(total / 60)).padStart(2, '0')
  const minutes = String(total % 60).padStart(2, '0')
  const sign = offsetMinutes < 0 ? '-' : '+'
  if (letter === 'X' && width === 1) return sign + hours + (minutes === '00' ? '' : minutes)
  return `${sign}${hours}${letter === 'X' && width >= 3 ? ':' : ''}${minutes}`
}

/** One capturing group a field. */
function readerOf(part: DatePart): string {
  if (typeof part === 'string') return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const { letter, width } = part
  switch (letter) {
    case 'y':
      return width === 2 ? '(\\d{2})' : `(\\d{${width === 1 ? '1,4' : width}})`
    case 'M':
      if (width >= 3) return `(${namesOf(MONTHS, width).join('|')})`
      return width === 2 ? '(\\d{2})' : '(\\d{1,2})'
    case 'E':
      return `(${namesOf(DAYS, width).join('|')})`
    case 'a':
      return '(AM|PM)'
    case 'S':
      return `(\\d{${width}})`
    case 'X':
      return width >= 3
        ? '(Z|[+-]\\d{2}:\\d{2})'
        : width === 2
          ? '(Z|[+-]\\d{4})'
          : '(Z|[+-]\\d{2}(?:\\d{2})?)'
    case 'Z':
      return '([+-]\\d{4})'
    default:
      return width === 1 ? '(\\d{1,2})' : `(\\d{${width}})`
  }
}

function namesOf(names: readonly string[], width: number): string[] {
  return names.map((name) => (width >= 4 ? name : name.slice(0, 3)))
}

function fromFields(
  fields: readonly Field[],
  texts: readonly string[],
): { local: LocalTime; offsetMinutes: number | undefined } | undefined {
  const local = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 }
  let half: number | undefined
  let isPm: boolean | undefined
  let weekday: string | undefined
  let offsetMinutes: number | undefined
  for (const [index, { letter, width }] of fields.entries()) {
    const text = texts[index] ?? ''
    const value = Number(text)
    if (letter === 'y')
      local.year = width === 2 ? value + (value < FIRST_TWO_DIGIT_YEAR ? 2000 : 1900) : value
    else if (letter === 'M')
      local.month = width >= 3 ? namesOf(MONTHS, width).indexOf(text) + 1 : value
    else if (letter === 'd') local.day = value
    else if (letter === 'E') weekday = text
    else if (letter === 'a') isPm = text === 'PM'
    else if (letter === 'H') local.hour = value
    else if (letter === 'k') local.hour = value === 24 ? 0 : value === 0 ? -1 : value
    else if (letter === 'h') half = value === 12 ? 0 : value === 0 ? -1 : value
    else if (letter === 'K') half = value
    else if (letter === 'm') local.minute = value
    else if (letter === 's') local.second = value
    else if (letter === 'S') local.millisecond = Number(text.padEnd(3, '0').slice(0, 3))
    else offsetMinutes = readOffset(text)
  }
  if (half !== undefined) {
    if (half < 0 || half > 11) return undefined
    local.hour = half + (isPm === true ? 12 : 0)
  }
  if (!isRealLocalTime(local)) return undefined
  if (offsetMinutes !== undefined && Math.abs(offsetMinutes) > 18 * 60) return undefined
  const day = DAYS[new Date(localToUtcMs(local)).getUTCDay()] ?? ''
  if (weekday !== undefined && !day.startsWith(weekday)) return undefined
  return { local, offsetMinutes }
}

function readOffset(text: string): number {
  if (text === 'Z') return 0
  const digits = text.replace(/[^\d]/g, '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return text.startsWith('-') ? -minutes : minutes
}
