// Whether a value could go on beyond a place.
import { BACKSLASH, WORD } from '../bytes.ts'
import type { Text } from './span.ts'

/** No letter or digit directly before `at`; the letter of an escape is none. */
export function isFreeBefore({ bytes, start, isRaw }: Text, at: number): boolean {
  if (at <= start || WORD[bytes[at - 1] ?? 0] === 0) return true
  return isRaw && at - 2 >= start && bytes[at - 2] === BACKSLASH
}

export function isFreeAfter({ bytes, end }: Text, at: number): boolean {
  return at >= end || WORD[bytes[at] ?? 0] === 0
}
