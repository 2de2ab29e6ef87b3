import type { ByteBuffer } from '../../bytes/byte-buffer.ts'
import type { ByteSource } from '../../bytes/byte-source.ts'
import { Uint64Column } from './fixed-column.ts'
import { LowCardinalityColumn } from './low-cardinality-column.ts'
import { StringColumn } from './string-column.ts'

/** Map(LowCardinality(String), String): where each row ends, then all keys, then all values. */
export class MapColumn {
  readonly #ends = new Uint64Column()
  readonly #keys = new LowCardinalityColumn()
  readonly #values = new StringColumn()

  reset(): void {
    this.#ends.reset()
    this.#keys.reset()
    this.#values.reset()
  }

  /** One entry of the row that the next `endRow` closes. */
  append(key: string, source: ByteSource, start: number, length: number): void {
    this.#keys.append(key)
    this.#values.appendBytes(source, start, length)
  }

  endRow(): void {
    this.#ends.append(this.#values.length)
  }

  write(out: ByteBuffer): void {
    this.#keys.writePrefix(out)
    this.#ends.write(out)
    this.#keys.writeData(out)
    this.#values.write(out)
  }
}
