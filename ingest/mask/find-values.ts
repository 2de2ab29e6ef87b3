// Finds values of detectors and patterns in bytes: one pass, in which a table says of each byte
// whether anything may be there at all.
import type { Detector } from '../../schemas/masking/mask-rule.ts'
import { ADDRESS, BACKSLASH, COLON, DIGITS, DOT, HYPHEN, SPACE } from './bytes.ts'
import type { ColumnRules } from './column-rules.ts'
import { findEmail, findIpv4, findIpv6 } from './detectors/addresses.ts'
import { findCard, findIban, findPhone } from './detectors/numbers.ts'
import type { PatternDetector } from './detectors/pattern.ts'
import type { Span, Text } from './detectors/span.ts'
import { findBearer, findJwt } from './detectors/tokens.ts'

/** What is looked for; the number is that of the rule. */
export type Wanted = {
  readonly detectors: Readonly<Partial<Record<Detector, number>>>
  readonly patterns: readonly { readonly detector: PatternDetector; readonly rule: number }[]
  readonly columns: ColumnRules
}

export type Found = { readonly from: number; readonly to: number; readonly rule: number }

const AT = 1
const DIGIT = 2
const COLONS = 4
const BEARER = 8
const WEB_TOKEN = 16
const ESCAPE = 32
const PERCENT = 64
const PATTERN = 128
const KEY = 256

const LOWER_U = 0x75
const LOWER_E = 0x65
const SMALL = 0x20
const FOUR = 0x34
const MIN_MANTISSA = 8

export class ValueFinder {
  readonly #patterns: Wanted['patterns']
  readonly #columns: ColumnRules
  readonly detectors: Wanted['detectors']
  readonly #kinds = new Uint16Array(256)
  readonly #hasEscaped: boolean
  readonly #isOfParts: boolean
  readonly #span: Span = { from: 0, to: 0 }
  readonly #text: {
    bytes: Uint8Array
    start: number
    end: number
    isRaw: boolean
    noTokenBefore: number
    noIpv6Before: number
  } = {
    ...{ bytes: new Uint8Array(), start: 0, end: 0, isRaw: false },
    ...{ noTokenBefore: 0, noIpv6Before: 0 },
  }

  constructor(wanted: Wanted) {
    const { detectors, patterns, columns } = wanted
    this.detectors = detectors
    this.#patterns = patterns
    this.#columns = columns
    const add = (characters: string, kind: number) => {
      for (const character of characters) this.#addByte(character.charCodeAt(0), kind)
    }
    if (detectors.email !== undefined) add('@', AT)
    const isOfDigits = (['card', 'ipv4', 'iban', 'phone'] as const).some((it) => it in detectors)
    if (isOfDigits) add('0123456789', DIGIT)
    if (detectors.ipv6 !== undefined) add(':', COLONS)
    if (detectors.bearer !== undefined) {
      add('bB', BEARER)
      add('J', WEB_TOKEN)
    }
    add('\\', ESCAPE)
    add('%', PERCENT)
    for (const { detector } of patterns)
      detector.first.forEach((is, byte) => {
        if (is === 1) this.#addByte(byte, PATTERN)
      })
    if (!columns.isEmpty) add(':', KEY)
    this.#isOfParts = Object.keys(detectors).length > 0
    this.#hasEscaped = patterns.some(({ detector }) => detector.hasEscaped)
  }

  /** False: there is surely none in these bytes as they were sent, escapes taken for what they
   *  stand for. */
  mayHave(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#look(bytes, start, end, undefined)
  }

  /** All, in order of their places, of plain bytes: an escape is what it is. */
  find(bytes: Uint8Array, start: number, end: number): Found[] {
    const found: Found[] = []
    this.#look(bytes, start, end, found)
    return found
  }

  #addByte(byte: number, kind: number): void {
    this.#kinds[byte] = (this.#kinds[byte] ?? 0) | kind
  }

  #look(bytes: Uint8Array, start: number, end: number, found: Found[] | undefined): boolean {
    const text = this.#text
    text.bytes = bytes
    text.start = start
    text.end = end
    text.isRaw = found === undefined
    text.noTokenBefore = 0
    text.noIpv6Before = 0
    const kinds = this.#kinds
    for (let i = start; i < end; ) {
      const kind = kinds[bytes[i] ?? 0] ?? 0
      if (kind === 0) {
        i += 1
        continue
      }
      if (found === undefined && (kind & (ESCAPE | PERCENT)) !== 0 && this.#isEscape(bytes, i))
        return true
      if ((kind & PATTERN) !== 0 && this.#findPattern(text, i, found)) return true
      if ((kind & DIGIT) !== 0) {
        const begun = i
        i += 1
        while (i < end && DIGITS[bytes[i] ?? 0] === 1) i += 1
        if (this.#findNumber(text, begun, i, found)) return true
        // `4.111111111111111e15` is a number, too.
        if (
          found === undefined &&
          i - begun >= MIN_MANTISSA &&
          ((bytes[i] ?? 0) | SMALL) === LOWER_E
        )
          return true
        // A pattern may begin at a digit after a sign only: not within this run.
        continue
      }
      if ((kind & KEY) !== 0 && found === undefined) {
        if (this.#columns.mayEndAt(bytes, start, i)) return true
      }
      if ((kind & COLONS) !== 0) {
        // As after the key of a member.
        if (bytes[i + 1] !== COLON && (i === start || ADDRESS[bytes[i - 1] ?? 0] === 0)) {
          i += 1
          continue
        }
        const isOne = findIpv6(text, i, this.#span)
        if (isOne && found === undefined) return true
        if (isOne) this.#add(found, this.detectors.ipv6)
        // The run is looked at as a whole, but for an address of mail or a pattern in it.
        i += 1
        while (i < this.#span.to && bytes[i] === COLON) i += 1
        continue
      }
      if ((kind & (AT | BEARER | WEB_TOKEN)) !== 0 && this.#findText(text, i, kind, found))
        return true
      i += 1
    }
    return false
  }

  /** True ends the look: it is asked whether there is any. */
  #findNumber(text: Text, at: number, to: number, found: Found[] | undefined): boolean {
    const { detectors } = this
    const span = this.#span
    const count = to - at
    const next = text.bytes[to]
    if (detectors.ipv4 !== undefined && next === DOT && count < 4 && findIpv4(text, at, span)) {
      if (found === undefined) return true
      this.#add(found, detectors.ipv4)
    }
    const mayBeCard = count > 11 || (count > 3 && (next === SPACE || next === HYPHEN))
    if (detectors.card !== undefined && mayBeCard && findCard(text, at, span)) {
      if (found === undefined) return true
      this.#add(found, detectors.card)
    }
    if (detectors.iban !== undefined && count > 1 && findIban(text, at, span)) {
      if (found === undefined) return true
      this.#add(found, detectors.iban)
    }
    if (detectors.phone !== undefined && findPhone(text, at, span)) {
      if (found === undefined) return true
      this.#add(found, detectors.phone)
    }
    return false
  }

  #findText(text: Text, at: number, kind: number, found: Found[] | undefined): boolean {
    const { detectors } = this
    const span = this.#span
    const isEmail = (kind & AT) !== 0 && findEmail(text, at, span)
    const isBearer = !isEmail && (kind & BEARER) !== 0 && findBearer(text, at, span)
    const isToken = isBearer || (!isEmail && (kind & WEB_TOKEN) !== 0 && findJwt(text, at, span))
    if (!isEmail && !isToken) return false
    if (found === undefined) return true
    this.#add(found, isEmail ? detectors.email : detectors.bearer)
    return false
  }

  #findPattern(text: Text, at: number, found: Found[] | undefined): boolean {
    for (const { detector, rule } of this.#patterns) {
      if (detector.first[text.bytes[at] ?? 0] !== 1 || !detector.find(text, at, this.#span))
        continue
      if (found === undefined) return true
      this.#add(found, rule)
    }
    return false
  }

  #add(found: Found[] | undefined, rule = 0): void {
    found?.push({ from: this.#span.from, to: this.#span.to, rule })
  }

  /** An escape that may stand for a character of a value. */
  #isEscape(bytes: Uint8Array, at: number): boolean {
    if (bytes[at] === BACKSLASH) return this.#hasEscaped || bytes[at + 1] === LOWER_U
    // %40, %3A, %2B, %2E, %2D, %20: what stands between the parts of a value.
    const next = bytes[at + 1] ?? 0
    return next >= 0x32 && next <= FOUR && this.#isOfParts
  }
}
