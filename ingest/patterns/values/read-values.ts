// Where a number or an address ends that begins at a place of a line.

const ZERO = 48
const NINE = 57
const MINUS = 45
const POINT = 46
const COLON = 58

/** End of the digits. */
export function digitsEnd(bytes: Uint8Array, at: number, limit: number): number {
  let p = at
  while (p < limit && isDigit(bytes[p] ?? 0)) p++
  return p
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** A letter or digit of ASCII. */
export function isWordByte(code: number): boolean {
  const lower = code | 32
  return isDigit(code) || (lower >= 97 && lower <= 122)
}

/** End of the fraction after digits that end at `at`; `at` when there is none. */
export function fractionEnd(bytes: Uint8Array, at: number, limit: number): number {
  if (at >= limit || bytes[at] !== POINT) return at
  const end = digitsEnd(bytes, at + 1, limit)
  return end === at + 1 ? at : end
}

/** A `-` with nothing of a number after it: the sender had no value. */
export function isDash(bytes: Uint8Array, at: number, limit: number): boolean {
  if (at >= limit || bytes[at] !== MINUS) return false
  const next = at + 1 < limit ? (bytes[at + 1] ?? 0) : 0
  return !isDigit(next) && next !== MINUS && next !== POINT
}

/** End of an IPv4 or IPv6 address, -1: there is none. Looks at 45 bytes at most. */
export function addressEnd(bytes: Uint8Array, at: number, limit: number): number {
  const v4 = addressV4End(bytes, at, limit)
  if (v4 >= 0) return isGlued(bytes, v4, limit) ? -1 : v4
  return addressV6End(bytes, at, limit)
}

/** A digit, or a point and a digit: no address ends there. */
function isGlued(bytes: Uint8Array, end: number, limit: number): boolean {
  const code = end < limit ? (bytes[end] ?? 0) : 0
  const next = end + 1 < limit ? (bytes[end + 1] ?? 0) : 0
  return isDigit(code) || (code === POINT && isDigit(next))
}

function addressV4End(bytes: Uint8Array, at: number, limit: number): number {
  let p = at
  for (let part = 0; part < 4; part++) {
    if (part > 0) {
      if (p >= limit || bytes[p] !== POINT) return -1
      p++
    }
    let value = 0
    const start = p
    while (p < limit && p - start < 3 && isDigit(bytes[p] ?? 0))
      value = value * 10 + (bytes[p++] ?? 0) - ZERO
    if (p === start || value > 255) return -1
  }
  return p
}

/** Up to eight groups, one `::`, an IPv4 address as the last two groups. */
function addressV6End(bytes: Uint8Array, at: number, limit: number): number {
  let p = at
  let groups = 0
  let hasGap = false
  if (bytes[p] === COLON && p + 1 < limit) {
    if (bytes[p + 1] !== COLON) return -1
    hasGap = true
    p += 2
  }
  for (;;) {
    const v4 = groups <= 6 ? addressV4End(bytes, p, limit) : -1
    if (v4 >= 0 && (hasGap || groups === 6)) return v4
    const start = p
    while (p < limit && p - start < 4 && isHex(bytes[p] ?? 0)) p++
    if (p === start) break
    groups++
    if (groups === 8 || p >= limit || bytes[p] !== COLON) break
    const isDouble = p + 1 < limit && bytes[p + 1] === COLON
    if (isDouble && hasGap) break
    // A colon after the address belongs to the line.
    if (!isDouble && !(p + 1 < limit && isHex(bytes[p + 1] ?? 0))) break
    hasGap ||= isDouble
    p += isDouble ? 2 : 1
  }
  if (p < limit && isHex(bytes[p] ?? 0)) return -1
  if (groups === 8) return hasGap ? -1 : p
  return hasGap && p > at + (groups === 0 ? 1 : 0) ? p : -1
}

function isHex(code: number): boolean {
  const lower = code | 32
  return isDigit(code) || (lower >= 97 && lower <= 102)
}

/** Letter case does not count in ASCII. */
export function foldedEnd(choice: Uint8Array, bytes: Uint8Array, at: number, end: number): number {
  const { length } = choice
  if (at + length > end) return -1
  for (let i = 0; i < length; i++) if (fold(bytes[at + i] ?? 0) !== fold(choice[i] ?? 0)) return -1
  return at + length
}

function fold(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code
}
