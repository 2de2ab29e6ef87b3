import { ByteBuffer } from './byte-buffer.ts'

/** String: varint length and bytes of each row, one after the other. */
export class StringColumn {
  readonly #data = new ByteBuffer()
  length = 0

  reset(): void {
    this.#data.reset()
    this.length = 0
  }

  append(text: string): void {
    this.length += 1
    this.#data.writeString(text)
  }

  appendBytes(source: Uint8Array, start: number, end: number): void {
    this.length += 1
    this.#data.writeStringBytes(source, start, end)
  }

  write(out: ByteBuffer): void {
    out.writeBuffer(this.#data)
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#data.length
  }

  /** All rows' bytes, to be cut apart by their lengths; valid until the next append. */
  contents(): Uint8Array {
    return this.#data.bytes.subarray(0, this.#data.length)
  }
}
