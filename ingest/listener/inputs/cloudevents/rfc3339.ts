// Is this a time of RFC 3339, section 5.6? On bytes: a text of each event's time would cost more
// than the look.

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

export function isRfc3339(bytes: Uint8Array, start: number, end: number): boolean {
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
  const year = pairAt(bytes, start) * 100 + pairAt(bytes, start + 2)
  const month = pairAt(bytes, start + 5)
  const day = pairAt(bytes, start + 8)
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return false
  // 60: a leap second.
  return (
    pairAt(bytes, start + 11) < 24 &&
    pairAt(bytes, start + 14) < 60 &&
    pairAt(bytes, start + 17) <= 60
  )
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
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

function pairAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) - ZERO) * 10 + ((bytes[at + 1] ?? 0) - ZERO)
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}
