// Where a pattern (mask-pattern.ts) is after some bytes, as a set of states: at most 128 steps for
// a byte, whatever pattern and bytes are.
import { MAX_PATTERN_BYTES, type PatternPart } from './mask-pattern.ts'

type Step = { readonly bytes: Uint8Array; readonly isOptional: boolean }

export class PatternStates {
  readonly #steps: readonly Step[]
  #states = new Uint8Array(MAX_PATTERN_BYTES + 1)
  #next = new Uint8Array(MAX_PATTERN_BYTES + 1)

  constructor(parts: readonly PatternPart[]) {
    this.#steps = parts.flatMap(({ bytes, min, max }) => {
      const table = new Uint8Array(256)
      for (const byte of bytes) table[byte] = 1
      return Array.from({ length: max }, (_, i) => ({ bytes: table, isOptional: i >= min }))
    })
  }

  /** Bytes with which a match begins: 1. */
  get first(): Uint8Array {
    return this.#steps[0]?.bytes ?? new Uint8Array(256)
  }

  clear(): void {
    this.#states.fill(0, 0, this.#steps.length + 1)
  }

  /** A match may begin with the next byte. */
  begin(): void {
    this.#enter(this.#states, 0)
  }

  /** False: no match that has begun goes on with this byte. */
  take(byte: number): boolean {
    const steps = this.#steps
    const last = steps.length
    this.#next.fill(0, 0, last + 1)
    let isAlive = false
    for (let state = 0; state < last; state += 1) {
      if (this.#states[state] === 0 || steps[state]?.bytes[byte] !== 1) continue
      this.#enter(this.#next, state + 1)
      isAlive = true
    }
    const states = this.#states
    this.#states = this.#next
    this.#next = states
    return isAlive
  }

  /** A match ends here. */
  get isEnd(): boolean {
    return this.#states[this.#steps.length] === 1
  }

  /** With the states that optional steps let it pass to. */
  #enter(states: Uint8Array, from: number): void {
    for (let state = from; ; state += 1) {
      states[state] = 1
      if (state >= this.#steps.length || this.#steps[state]?.isOptional !== true) return
    }
  }
}
