// Addresses of mail and of the Internet Protocol.

import { parseAddress } from '../../split/source-address.ts'
import {
  ADDRESS,
  COLON,
  DIGITS,
  DOMAIN,
  DOT,
  HYPHEN,
  LOCAL_PART,
  runEnd,
  runStart,
} from '../bytes.ts'
import { isFreeAfter, isFreeBefore } from './boundary.ts'
import type { Span, Text } from './span.ts'

const ZERO = 0x30
const MAX_LOCAL = 320
const MAX_DOMAIN = 255
/** Bytes that are looked at before and after a colon. */
const MAX_IPV6 = 64
/** The longest text of an address: six groups and an IPv4 address. */
const MAX_IPV6_TEXT = 45
const FULL_COLONS = 7

/** At an @: a name before it, a domain with a dot or without one after it. */
export function findEmail({ bytes, start, end }: Text, at: number, span: Span): boolean {
  const from = runStart(bytes, at, Math.max(start, at - MAX_LOCAL), LOCAL_PART)
  if (from === at) return false
  let to = runEnd(bytes, at + 1, Math.min(end, at + 1 + MAX_DOMAIN), DOMAIN)
  while (to > at + 1 && (bytes[to - 1] === DOT || bytes[to - 1] === HYPHEN)) to -= 1
  const dot = bytes.subarray(at + 1, to).indexOf(DOT)
  if (dot <= 0) return false
  span.from = from
  span.to = to
  return true
}

/** At the first digit of a run: four numbers up to 255 with dots between them, alone or with a port
 *  or mask. */
export function findIpv4(text: Text, at: number, span: Span): boolean {
  const { bytes, start, end } = text
  if (!isFreeBefore(text, at)) return false
  // The end of a longer row of numbers is no address.
  if (at - 2 >= start && bytes[at - 1] === DOT && DIGITS[bytes[at - 2] ?? 0] === 1) return false
  let i = at
  for (let part = 0; part < 4; part += 1) {
    if (part > 0) {
      if (bytes[i] !== DOT || i >= end) return false
      i += 1
    }
    let value = 0
    const begun = i
    while (i < end && i - begun < 4 && DIGITS[bytes[i] ?? 0] === 1) {
      value = value * 10 + (bytes[i] ?? 0) - ZERO
      i += 1
    }
    if (i === begun || i - begun > 3 || value > 255) return false
  }
  const isLonger = bytes[i] === DOT && i + 1 < end && DIGITS[bytes[i + 1] ?? 0] === 1
  if (isLonger || !isFreeAfter(text, i)) return false
  span.from = at
  span.to = i
  return true
}

/** At a colon. `span.to` is where to go on, also when none was found. */
export function findIpv6(text: Text, at: number, span: Span): boolean {
  const { bytes, start, end } = text
  span.to = at + 1
  if (at < text.noIpv6Before) return false
  let from = runStart(bytes, at, Math.max(start, at - MAX_IPV6), ADDRESS)
  const runTo = runEnd(bytes, at, Math.min(end, at + MAX_IPV6), ADDRESS)
  span.to = Math.max(runTo, at + 1)
  // Each other colon of so short a run would lead to the same bytes.
  if (runTo - from < MAX_IPV6) text.noIpv6Before = runTo
  if (runTo - from < 3 || !mayBeIpv6(bytes, from, runTo)) return false
  // An escape may have given it a letter too much.
  if (text.isRaw) return true
  let to = runTo
  while (to > from && (bytes[to - 1] === DOT || isLoneColon(bytes, to - 1, -1))) to -= 1
  for (let tries = 0; tries < 8 && from < to; tries += 1) {
    if (isLoneColon(bytes, from, 1) || bytes[from] === DOT) from += 1
    const mayBe = to - from <= MAX_IPV6_TEXT
    const isFree = mayBe && isFreeBefore(text, from) && isFreeAfter(text, to)
    if (isFree && parseAddress(latin(bytes, from, to))?.length !== undefined) {
      if (!hasColon(bytes, from, to)) return false
      span.from = from
      span.to = to
      return true
    }
    // A word before it, `source:2001:db8::1`: the address may begin behind its colon.
    const colon = bytes.subarray(from, to).indexOf(COLON, 1)
    if (colon < 0) return false
    from += colon
  }
  return false
}

/** Seven colons, or two in a row: a time of day has neither. */
function mayBeIpv6(bytes: Uint8Array, from: number, to: number): boolean {
  let colons = 0
  for (let i = from; i < to; i += 1) {
    if (bytes[i] !== COLON) continue
    colons += 1
    if (colons >= FULL_COLONS || (bytes[i + 1] === COLON && i + 1 < to)) return true
  }
  return false
}

function isLoneColon(bytes: Uint8Array, at: number, step: number): boolean {
  return bytes[at] === COLON && bytes[at + step] !== COLON
}

function hasColon(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes.subarray(from, to).includes(COLON)
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
