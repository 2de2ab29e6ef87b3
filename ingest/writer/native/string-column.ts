import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import type { ByteSource } from '../../bytes/byte-source.ts'

/** String: varint length and bytes of each row, one after the other. */
export class StringColumn {
  readonly #data = new ByteBuffer()
  length = 0

  reset(): void {
    this.#data.reset()
    this.length = 0
  }

  /** `length` bytes of `source` from `start` on, UTF-8. */
  appendBytes(source: ByteSource, start: number, length: number): void {
    this.length += 1
    this.#data.writeStringBytes(source, start, length)
  }

  appendEmpty(): void {
    this.length += 1
    this.#data.writeByte(0)
  }

  write(out: ByteBuffer): void {
    out.writeBuffer(this.#data)
  }

  /** All rows' bytes, to be cut apart by their lengths; valid until the next append. */
  contents(): ByteBuffer {
    return this.#data
  }
}
