// Payment cards, telephone numbers and IBANs: found at the first digit of a run.
import { BACKSLASH, DIGITS, DOT, HYPHEN, LETTERS, PLUS, runEnd, SPACE, WORD } from '../bytes.ts'
import { isFreeAfter, isFreeBefore } from './boundary.ts'
import { IBAN_LENGTHS } from './iban-lengths.ts'
import type { Span, Text } from './span.ts'

const ZERO = 0x30
const SMALL = 0x20
const OPEN = 0x28
const CLOSE = 0x29
const SLASH = 0x2f
const MIN_CARD = 12
const MAX_CARD = 19

/** A card number (12 to 19 digits of a known issuer, with its check digit), in one run or in groups
 *  with a space or hyphen between them. The first group of one that has groups has four digits. */
export function findCard(text: Text, at: number, span: Span): boolean {
  const { bytes, end } = text
  const first = (bytes[at] ?? 0) - ZERO
  if (first < 2 || first > 6 || !isFreeBefore(text, at)) return false
  let count = 0
  let sum = 0
  let odd = 0
  let to = -1
  let i = at
  for (;;) {
    const digit = (bytes[i] ?? 0) - ZERO
    if (i < end && digit >= 0 && digit <= 9) {
      count += 1
      if (count > MAX_CARD) break
      // Both sums of Luhn at once: which one counts is known at the end.
      const twice = digit > 4 ? 2 * digit - 9 : 2 * digit
      const even = odd + digit
      odd = sum + twice
      sum = even
      i += 1
    } else {
      // What follows a card after a space, as its date, is not of it.
      const isOne = count >= MIN_CARD && sum % 10 === 0 && isFreeAfter(text, i)
      if (isOne && isIssued(bytes, at, count)) to = i
      const isGroup = bytes[i] === SPACE || bytes[i] === HYPHEN
      if (count < 4 || !isGroup || i + 1 >= end || DIGITS[bytes[i + 1] ?? 0] === 0) break
      i += 1
    }
  }
  if (to < 0) return false
  span.from = at
  span.to = to
  return true
}

/** Prefixes and lengths of ISO/IEC 7812 issuers that pay. */
function isIssued(bytes: Uint8Array, at: number, count: number): boolean {
  let prefix = 0
  let digits = 0
  for (let i = at; digits < 4; i += 1) {
    const digit = (bytes[i] ?? 0) - ZERO
    if (digit < 0 || digit > 9) continue
    prefix = prefix * 10 + digit
    digits += 1
  }
  const two = Math.floor(prefix / 100)
  const three = Math.floor(prefix / 10)
  if (prefix >= 4000 && prefix < 5000) return count === 13 || count === 16 || count >= 18
  if ((two >= 51 && two <= 55) || (prefix >= 2221 && prefix <= 2720)) return count === 16
  if (two === 34 || two === 37) return count === 15
  if (two === 36 || two === 38 || two === 39 || (three >= 300 && three <= 305)) return count >= 14
  if (prefix === 6011 || two === 65 || two === 62 || two === 60 || two === 64) return count >= 16
  if (two === 35) return count >= 16
  return two === 50 || (two >= 56 && two <= 58) || two === 63 || two === 67
}

/** `+` or 00 and 8 to 15 digits, or three, three and four digits with something between them. */
export function findPhone(text: Text, at: number, span: Span): boolean {
  const { bytes, start } = text
  const before = at > start ? bytes[at - 1] : undefined
  if (before === PLUS) return findInternational(text, at, at - 1, span)
  if (!isFreeBefore(text, at)) return false
  const isZeros = bytes[at] === ZERO && bytes[at + 1] === ZERO
  if (isZeros && (bytes[at + 2] ?? 0) > ZERO) return findInternational(text, at + 2, at, span)
  return findGrouped(text, at, before === OPEN, span)
}

function findInternational(text: Text, at: number, from: number, span: Span): boolean {
  const { bytes, end, isRaw } = text
  let count = 0
  let i = at
  let last = at
  while (i < end && count <= 15) {
    const byte = bytes[i] ?? 0
    if (DIGITS[byte] === 1) {
      count += 1
      last = i + 1
    } else if (!(isBetween(byte) || (isRaw && byte === BACKSLASH)) || i - last >= 2) break
    i += 1
  }
  if (count < 8 || count > 15 || !isFreeAfter(text, last)) return false
  if (bytes[at] === ZERO) return false
  span.from = from
  span.to = last
  return true
}

function isBetween(byte: number): boolean {
  return (
    byte === SPACE ||
    byte === HYPHEN ||
    byte === DOT ||
    byte === OPEN ||
    byte === CLOSE ||
    byte === SLASH
  )
}

/** `555-123-4567`, `(555) 123-4567`. */
function findGrouped(text: Text, at: number, isOpen: boolean, span: Span): boolean {
  const { bytes, end } = text
  if (runEnd(bytes, at, end, DIGITS) - at !== 3) return false
  let i = at + 3
  if (isOpen && bytes[i] === CLOSE) i += 1
  if (!isOpen || bytes[i] === SPACE) {
    if (!isGap(bytes[i])) return false
    i += 1
  }
  if (runEnd(bytes, i, end, DIGITS) - i !== 3 || !isGap(bytes[i + 3])) return false
  const last = i + 4
  const to = runEnd(bytes, last, end, DIGITS)
  if (to - last !== 4 || !isFreeAfter(text, to)) return false
  // `1.123-456-7890` and parts of longer runs are none.
  const before = at > text.start ? bytes[at - 1] : undefined
  if (before === DOT || before === HYPHEN) return false
  if (bytes[to] === HYPHEN && DIGITS[bytes[to + 1] ?? 0] === 1) return false
  span.from = isOpen ? at - 1 : at
  span.to = to
  return true
}

function isGap(byte: number | undefined): boolean {
  return byte === HYPHEN || byte === SPACE || byte === DOT
}

/** Two letters before `at`, two check digits, and as many letters and digits as the country has,
 *  in one run or in groups of four; modulo 97 is 1 (ISO 13616). */
export function findIban(text: Text, at: number, span: Span): boolean {
  const { bytes, start, end } = text
  const from = at - 2
  if (from < start || DIGITS[bytes[at + 1] ?? 0] === 0) return false
  if (LETTERS[bytes[from] ?? 0] === 0 || LETTERS[bytes[from + 1] ?? 0] === 0) return false
  if (!isFreeBefore(text, from)) return false
  const country = String.fromCharCode(capital(bytes[from]), capital(bytes[from + 1]))
  const length = IBAN_LENGTHS.get(country) ?? 0
  if (length === 0) return false
  let count = 0
  let head = 0
  let rest = 0
  let i = from
  while (i < end && count < length) {
    const byte = bytes[i] ?? 0
    const isGroup = (byte === SPACE || byte === HYPHEN) && count % 4 === 0 && count > 0
    if (isGroup) {
      i += 1
      continue
    }
    const value = ibanValueOf(byte)
    if (value < 0) return false
    // The first four characters count after all others.
    if (count < 4) head = (head * (value > 9 ? 100 : 10) + value) % 97
    else rest = (rest * (value > 9 ? 100 : 10) + value) % 97
    count += 1
    i += 1
  }
  // The head has six digits: two letters and two digits.
  if (count < length || !isFreeAfter(text, i) || (rest * 1_000_000 + head) % 97 !== 1) return false
  span.from = from
  span.to = i
  return true
}

function capital(byte = 0): number {
  return byte & ~SMALL
}

function ibanValueOf(byte: number): number {
  if (DIGITS[byte] === 1) return byte - ZERO
  return LETTERS[byte] === 1 && WORD[byte] === 1 ? capital(byte) - 55 : -1
}
