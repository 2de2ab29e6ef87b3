// A word that only some may know. Printing it in any way shows ***.
import { createHash, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

export class SecretText {
  /** All that is kept: of one length, so that a comparison says nothing of the word. */
  readonly #digest: Buffer

  constructor(text: string) {
    this.#digest = digestOf(text)
  }

  is(text: string): boolean {
    return timingSafeEqual(this.#digest, digestOf(text))
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
