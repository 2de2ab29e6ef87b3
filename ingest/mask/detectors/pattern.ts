// A pattern of ours on bytes (schemas/masking/mask-pattern.ts): the longest match at a place that
// stands alone.
import type { PatternPart } from '../../../schemas/masking/mask-pattern.ts'
import { PatternStates } from '../../../schemas/masking/pattern-states.ts'
import { WORD } from '../bytes.ts'
import { isFreeAfter, isFreeBefore } from './boundary.ts'
import type { Span, Text } from './span.ts'

export class PatternDetector {
  /** Bytes with which a match begins: 1. */
  readonly first: Uint8Array
  /** It takes bytes that JSON writes by escapes. */
  readonly hasEscaped: boolean
  readonly #states: PatternStates

  constructor(parts: readonly PatternPart[]) {
    this.#states = new PatternStates(parts)
    this.first = this.#states.first
    this.hasEscaped = parts.some(({ bytes }) =>
      [...bytes].some(
        (byte) => byte < 0x20 || byte > 0x7e || '"\\/'.includes(String.fromCharCode(byte)),
      ),
    )
  }

  find(text: Text, at: number, span: Span): boolean {
    const { bytes, end } = text
    if (WORD[bytes[at] ?? 0] === 1 && !isFreeBefore(text, at)) return false
    const states = this.#states
    states.clear()
    states.begin()
    let to = -1
    for (let i = at; i < end; i += 1) {
      const byte = bytes[i] ?? 0
      if (!states.take(byte)) break
      if (states.isEnd && (WORD[byte] === 0 || isFreeAfter(text, i + 1))) to = i + 1
    }
    if (to < 0) return false
    span.from = at
    span.to = to
    return true
  }
}
