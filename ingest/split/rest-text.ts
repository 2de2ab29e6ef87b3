// Gathers the values of JSON text for `rest`: '\x1f' before each. Bytes are copied and decoded once, not joined string by string.

const SEPARATOR = 0x1f
const MAX_KEPT_BYTES = 1024 * 1024

export class RestText {
  #bytes = Buffer.alloc(4096)
  #length = 0
  #text = ''

  begin(): void {
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.alloc(4096)
    this.#length = 0
    this.#text = ''
  }

  /** A value of ASCII characters only. */
  addBytes(bytes: Uint8Array, from: number, to: number): void {
    let length = this.#length
    if (length + 1 + to - from > this.#bytes.length) this.#grow(length + 1 + to - from)
    const own = this.#bytes
    own[length++] = SEPARATOR
    for (let i = from; i < to; i++) own[length++] = bytes[i] ?? 0
    this.#length = length
  }

  addText(text: string): void {
    this.#text = `${this.take()}\x1f${text}`
    this.#length = 0
  }

  take(): string {
    return this.#text + this.#bytes.toString('latin1', 0, this.#length)
  }

  #grow(least: number): void {
    const grown = Buffer.alloc(Math.max(least, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}
