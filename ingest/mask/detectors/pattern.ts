// A pattern of ours on bytes (schemas/masking/mask-pattern.ts): the longest match at a place, by a
// set of states, so that the work for a place is at most 128 steps of 128.
import { MAX_PATTERN_BYTES, type PatternPart } from '../../../schemas/masking/mask-pattern.ts'
import { WORD } from '../bytes.ts'
import { isFreeAfter, isFreeBefore } from './boundary.ts'
import type { Span, Text } from './span.ts'

type Step = { readonly bytes: Uint8Array; readonly isOptional: boolean }

export class PatternDetector {
  /** Bytes with which a match begins: 1. */
  readonly first: Uint8Array
  /** It takes bytes that JSON writes by escapes. */
  readonly hasEscaped: boolean
  readonly #steps: readonly Step[]
  #states = new Uint8Array(MAX_PATTERN_BYTES + 1)
  #next = new Uint8Array(MAX_PATTERN_BYTES + 1)

  constructor(parts: readonly PatternPart[]) {
    this.#steps = parts.flatMap(({ bytes, min, max }) => {
      const table = new Uint8Array(256)
      for (const byte of bytes) table[byte] = 1
      return Array.from({ length: max }, (_, i) => ({ bytes: table, isOptional: i >= min }))
    })
    this.first = this.#steps[0]?.bytes ?? new Uint8Array(256)
    this.hasEscaped = parts.some(({ bytes }) =>
      [...bytes].some(
        (byte) => byte < 0x20 || byte > 0x7e || '"\\/'.includes(String.fromCharCode(byte)),
      ),
    )
  }

  find(text: Text, at: number, span: Span): boolean {
    const { bytes, end } = text
    if (WORD[bytes[at] ?? 0] === 1 && !isFreeBefore(text, at)) return false
    const steps = this.#steps
    const last = steps.length
    this.#states.fill(0, 0, last + 1)
    this.#enter(this.#states, 0)
    let to = -1
    for (let i = at; i < end; i += 1) {
      const byte = bytes[i] ?? 0
      this.#next.fill(0, 0, last + 1)
      let isAlive = false
      for (let state = 0; state < last; state += 1) {
        if (this.#states[state] === 0 || steps[state]?.bytes[byte] !== 1) continue
        this.#enter(this.#next, state + 1)
        isAlive = true
      }
      if (!isAlive) break
      const states = this.#states
      this.#states = this.#next
      this.#next = states
      if (this.#states[last] === 1 && (WORD[byte] === 0 || isFreeAfter(text, i + 1))) to = i + 1
    }
    if (to < 0) return false
    span.from = at
    span.to = to
    return true
  }

  /** With the states that optional steps let it pass to. */
  #enter(states: Uint8Array, from: number): void {
    for (let state = from; ; state += 1) {
      states[state] = 1
      if (state >= this.#steps.length || this.#steps[state]?.isOptional !== true) return
    }
  }
}
