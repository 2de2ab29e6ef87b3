// Runs of digits and of spaces in an event. The one looked at last is kept: a place amid it does
// not look again, so that each byte is looked at once, however many places are tried.
import { digitsEnd, fractionEnd } from './read-values.ts'

const SPACE = 32

export class Runs {
  /** Bytes looked at by the last call. */
  looked = 0
  /** Of the digits read last: where they end, and where their fraction does. */
  digitsTo = -1
  fractionTo = 0
  #digitsFrom = 0
  #spacesFrom = 0
  #spacesTo = -1

  /** Before each event. */
  reset(): void {
    this.digitsTo = -1
    this.#spacesTo = -1
  }

  readDigits(bytes: Uint8Array, at: number, end: number): void {
    this.looked = 0
    if (at >= this.#digitsFrom && at < this.digitsTo) return
    this.#digitsFrom = at
    this.digitsTo = digitsEnd(bytes, at, end)
    this.fractionTo = this.digitsTo > at ? fractionEnd(bytes, this.digitsTo, end) : at
    this.looked = this.fractionTo - at
  }

  /** `from`: the place of a space. */
  spacesEnd(bytes: Uint8Array, from: number, end: number): number {
    this.looked = 0
    if (from + 1 >= end || bytes[from + 1] !== SPACE) return from + 1
    if (from >= this.#spacesFrom && from < this.#spacesTo) return this.#spacesTo
    let at = from + 1
    while (at < end && bytes[at] === SPACE) at++
    this.looked = at - from
    this.#spacesFrom = from
    this.#spacesTo = at
    return at
  }
}
