// The pairs of `{pairs}`: key=value, one after the other, values bare or in quotes. A word without
// a value is passed over. One object, reused.

const MAX_KEY = 128
const SPACE = 32
const TAB = 9
const QUOTE = 34
const APOSTROPHE = 39
const BACKSLASH = 92

export class PairScanner {
  /** Of the pair that `next` found; the value is without its quotes. */
  keyStart = 0
  keyEnd = 0
  valueStart = 0
  valueEnd = 0
  /** There are backslashes in the quoted value. */
  isEscaped = false
  #bytes: Uint8Array = new Uint8Array(0)
  #at = 0
  #end = 0
  #separator = SPACE
  #equals = 0

  begin(bytes: Uint8Array, start: number, end: number, separator: number, equals: number): void {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.#separator = separator
    this.#equals = equals
  }

  next(): boolean {
    const bytes = this.#bytes
    const end = this.#end
    while (this.#at < end) {
      let at = this.#at
      while (at < end && this.#isBetween(bytes[at] ?? 0)) at++
      const equals = keyEnd(bytes, at, end, this.#equals)
      if (equals < 0) {
        // Over a word; at least over a byte.
        at++
        while (at < end && !this.#isBetween(bytes[at] ?? 0)) at++
        this.#at = at
        continue
      }
      this.keyStart = at
      this.keyEnd = equals
      this.#readValue(equals + 1)
      return true
    }
    return false
  }

  #isBetween(code: number): boolean {
    return code === SPACE || code === TAB || code === this.#separator
  }

  #readValue(from: number): void {
    const bytes = this.#bytes
    const end = this.#end
    let at = from
    // `key: value`
    while (at < end && bytes[at] === SPACE && this.#separator !== SPACE) at++
    const quote = at < end ? (bytes[at] ?? 0) : 0
    this.isEscaped = false
    if (quote === QUOTE || quote === APOSTROPHE) {
      const close = this.#closingQuote(at + 1, quote)
      if (close >= 0) {
        this.valueStart = at + 1
        this.valueEnd = close
        this.#at = close + 1
        return
      }
    }
    this.isEscaped = false
    this.valueStart = at
    if (this.#separator === SPACE) {
      while (at < end && !this.#isBetween(bytes[at] ?? 0)) at++
      this.valueEnd = at
    } else {
      while (at < end && bytes[at] !== this.#separator) at++
      let last = at
      while (last > this.valueStart && (bytes[last - 1] ?? 0) <= SPACE) last--
      this.valueEnd = last
    }
    this.#at = at
  }

  /** -1: the quote is never closed. That is so once a line at most: a later one would close it. */
  #closingQuote(from: number, quote: number): number {
    const bytes = this.#bytes
    for (let at = from; at < this.#end; at++) {
      if (bytes[at] === BACKSLASH) {
        this.isEscaped = true
        at++
      } else if (bytes[at] === quote) return at
    }
    return -1
  }
}

/** Whether a pair begins here. */
export function looksLikePairs(
  bytes: Uint8Array,
  at: number,
  end: number,
  equals: number,
): boolean {
  return keyEnd(bytes, at, end, equals) >= 0
}

/** Where the key ends that begins here, -1: there is none. */
function keyEnd(bytes: Uint8Array, at: number, end: number, equals: number): number {
  const limit = Math.min(end, at + MAX_KEY)
  for (let i = at; i < limit; i++) {
    const code = bytes[i] ?? 0
    if (code === equals) return i > at ? i : -1
    if (!isKeyByte(code)) return -1
  }
  return -1
}

/** Letters, digits, `_ - . @ / [ ] %` and all beyond ASCII. */
function isKeyByte(code: number): boolean {
  const lower = code | 32
  if ((lower >= 97 && lower <= 122) || (code >= 45 && code <= 57) || code >= 128) return true
  return code === 95 || code === 64 || code === 91 || code === 93 || code === 37
}
