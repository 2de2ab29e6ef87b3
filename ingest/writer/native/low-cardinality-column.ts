// LowCardinality(String) of texts that are strings already and mostly the same objects: hosts,
// layouts, names.
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import { Uint32Column } from './fixed-column.ts'
import { writeLowCardinalityData, writeLowCardinalityPrefix } from './low-cardinality-data.ts'

export class LowCardinalityColumn {
  readonly #indexes = new Map<string, number>()
  readonly #rows = new Uint32Column()
  readonly #keys = new ByteBuffer()
  #last = ''
  #lastIndex = -1

  /** Size of the distinct values. */
  get valueBytes(): number {
    return this.#keys.length
  }

  reset(): void {
    this.#indexes.clear()
    this.#rows.reset()
    this.#keys.reset()
    this.#last = ''
    this.#lastIndex = -1
  }

  /** Gives the index of the value among the distinct ones, for callers that keep something a
   *  value. */
  append(value: string): number {
    const index = this.#indexOf(value, Number.POSITIVE_INFINITY)
    this.#rows.append(index)
    return index
  }

  /** False, and no row: the value would be one of more than `most` distinct ones. */
  tryAppend(value: string, most: number): boolean {
    const index = this.#indexOf(value, most)
    if (index < 0) return false
    this.#rows.append(index)
    return true
  }

  write(out: ByteBuffer): void {
    writeLowCardinalityPrefix(out)
    writeLowCardinalityData(out, this.#rows, this.#keys, this.#indexes.size)
  }

  #indexOf(value: string, most: number): number {
    if (value === this.#last && this.#lastIndex >= 0) return this.#lastIndex
    let index = this.#indexes.get(value)
    if (index === undefined) {
      index = this.#indexes.size
      if (index >= most) return -1
      this.#indexes.set(value, index)
      this.#keys.writeString(value)
    }
    this.#last = value
    this.#lastIndex = index
    return index
  }
}
