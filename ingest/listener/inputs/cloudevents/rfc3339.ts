// Is this a time of RFC 3339, section 5.6, that the writer can read (decision 3.7)? Otherwise the
// event would silently get another one. On bytes: a text of each event's time would cost more than
// the look.
import { daysInMonth, type ParsedTime } from '../../../../schemas/time/time-date.ts'
import { MAX_TEXT, parseTime } from '../../../../schemas/time/time-text.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

/** `d` a digit; the rest stands for itself, `T` in either case or a space. */
const FORM = 'dddd-dd-ddTdd:dd:dd'
const ZERO = 0x30
const NINE = 0x39
const SPACE = 0x20
const DOT = 0x2e
const COLON = 0x3a
const PLUS = 0x2b
const MINUS = 0x2d
const SMALL_T = 0x74
const SMALL_Z = 0x7a
/** ORed to a letter: its small form. */
const SMALL = 0x20

/** Years all of whose times are readable, in every zone. */
const FIRST_WHOLE_YEAR = 1971
const LAST_WHOLE_YEAR = 2198
const UTC = timeZone('UTC')

export function isReadableRfc3339(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > MAX_TEXT || !isRfc3339(bytes, start, end)) return false
  const year = yearAt(bytes, start)
  if (year >= FIRST_WHOLE_YEAR && year <= LAST_WHOLE_YEAR) return true
  const out: ParsedTime = { ms: 0, nanos: 0, formatCode: 0 }
  return parseTime(bytes.toString('latin1', start, end), UTC, out)
}

function isRfc3339(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= FORM.length) return false
  for (let i = 0; i < FORM.length; i += 1) if (!fits(bytes[start + i] ?? 0, FORM[i])) return false
  if (!isDateAndTime(bytes, start)) return false
  let at = start + FORM.length
  if (bytes[at] === DOT) {
    const first = at + 1
    at = first
    while (at < end && isDigit(bytes[at] ?? 0)) at += 1
    if (at === first) return false
  }
  return isZone(bytes, at, end)
}

function fits(byte: number, form: string | undefined): boolean {
  if (form === 'd') return isDigit(byte)
  if (form === 'T') return byte === SPACE || (byte | SMALL) === SMALL_T
  return byte === form?.charCodeAt(0)
}

function isDateAndTime(bytes: Uint8Array, start: number): boolean {
  const year = yearAt(bytes, start)
  const month = pairAt(bytes, start + 5)
  const day = pairAt(bytes, start + 8)
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  // 60: a leap second.
  return (
    pairAt(bytes, start + 11) < 24 &&
    pairAt(bytes, start + 14) < 60 &&
    pairAt(bytes, start + 17) <= 60
  )
}

function isZone(bytes: Uint8Array, at: number, end: number): boolean {
  const first = bytes[at] ?? 0
  if (end - at === 1) return (first | SMALL) === SMALL_Z
  if (end - at !== 6 || (first !== PLUS && first !== MINUS)) return false
  const areDigits = [1, 2, 4, 5].every((offset) => isDigit(bytes[at + offset] ?? 0))
  return (
    areDigits && bytes[at + 3] === COLON && pairAt(bytes, at + 1) < 24 && pairAt(bytes, at + 4) < 60
  )
}

function yearAt(bytes: Uint8Array, start: number): number {
  return pairAt(bytes, start) * 100 + pairAt(bytes, start + 2)
}

function pairAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) - ZERO) * 10 + ((bytes[at + 1] ?? 0) - ZERO)
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}
