// Bearer tokens (RFC 6750), and JSON web tokens wherever they stand.
import { BACKSLASH, JWT, runEnd, SPACE, TOKEN } from '../bytes.ts'
import { isFreeBefore } from './boundary.ts'
import type { Span, Text } from './span.ts'

const BEARER = Buffer.from('bearer')
const SMALL = 0x20
const DOT = 0x2e
const MIN_TOKEN = 8
const MIN_JWT = 20

/** At a `b`; the word itself stays. */
export function findBearer(text: Text, at: number, span: Span): boolean {
  const { bytes, end, isRaw } = text
  if (((bytes[at + 1] ?? 0) | SMALL) !== BEARER[1]) return false
  for (let i = 0; i < BEARER.length; i += 1)
    if (((bytes[at + i] ?? 0) | SMALL) !== BEARER[i]) return false
  if (!isFreeBefore(text, at)) return false
  let from = at + BEARER.length
  const word = from
  while (from < end && bytes[from] === SPACE) from += 1
  if (from === word) return isRaw && bytes[from] === BACKSLASH
  const to = runEnd(bytes, from, end, TOKEN)
  if (to - from < (isRaw ? 1 : MIN_TOKEN)) return false
  span.from = from
  span.to = to
  return true
}

/** At a `J`: `eyJ…`, three parts. */
export function findJwt(text: Text, at: number, span: Span): boolean {
  const { bytes, start, end } = text
  const from = at - 2
  if (
    from < Math.max(start, text.noTokenBefore) ||
    bytes[from] !== 0x65 ||
    bytes[from + 1] !== 0x79
  )
    return false
  if (!isFreeBefore(text, from)) return false
  const to = runEnd(bytes, from, end, JWT)
  // One that begins within this run ends where it does: it is part of this token, or as little one.
  text.noTokenBefore = to
  const dot = bytes.subarray(from, to).indexOf(DOT)
  if (to - from < MIN_JWT || dot < 0) return false
  span.from = from
  span.to = to
  return true
}
