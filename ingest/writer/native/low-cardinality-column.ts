// LowCardinality(String): the distinct values once, and for each row the index of its value (8, 16 or 32 bits).
import type { ByteBuffer } from './byte-buffer.ts'
import { Uint32Column } from './fixed-column.ts'

/** Stands once before the data of a column, of a Map's keys, of a JSON variant. */
const STATE_PREFIX = 1
const HAS_KEYS = 512

export class LowCardinalityColumn {
  readonly #indexes = new Map<string, number>()
  readonly #rows = new Uint32Column()
  #last = ''
  #lastIndex = -1
  readonly keys: string[] = []

  get length(): number {
    return this.#rows.length
  }

  reset(): void {
    this.#indexes.clear()
    this.#rows.reset()
    this.keys.length = 0
    this.#last = ''
    this.#lastIndex = -1
  }

  /** Gives the index of the value among the distinct ones, for callers that keep something a value. */
  append(value: string): number {
    const index = this.indexOf(value)
    this.#rows.append(index)
    return index
  }

  /** Adds a row for a value known by `indexOf`. */
  appendIndex(index: number): void {
    this.#rows.append(index)
  }

  /** The value's index; it becomes one of the keys. */
  indexOf(value: string): number {
    if (value === this.#last && this.#lastIndex >= 0) return this.#lastIndex
    let index = this.#indexes.get(value)
    if (index === undefined) {
      index = this.keys.length
      this.#indexes.set(value, index)
      this.keys.push(value)
    }
    this.#last = value
    this.#lastIndex = index
    return index
  }

  /** Takes back the key that `indexOf` has just added, when no row uses it. */
  forgetLast(): void {
    const key = this.keys.pop()
    if (key !== undefined) this.#indexes.delete(key)
    this.#lastIndex = -1
  }

  keyAt(row: number): string {
    return this.keys[this.#rows.values[row] ?? 0] ?? ''
  }

  /** As a column of its own. */
  write(out: ByteBuffer): void {
    this.writePrefix(out)
    this.writeData(out)
  }

  writePrefix(out: ByteBuffer): void {
    out.writeUint64(STATE_PREFIX)
  }

  /** Nothing at all for no rows: so does the engine. */
  writeData(out: ByteBuffer): void {
    const rows = this.#rows.length
    if (rows === 0) return
    const width = indexWidth(this.keys.length)
    out.writeUint64(HAS_KEYS | (width === 1 ? 0 : width === 2 ? 1 : 2))
    out.writeUint64(this.keys.length)
    for (const key of this.keys) out.writeString(key)
    out.writeUint64(rows)
    this.#writeIndexes(out, rows, width)
  }

  #writeIndexes(out: ByteBuffer, rows: number, width: 1 | 2 | 4): void {
    const { values } = this.#rows
    if (width === 4) {
      this.#rows.write(out)
      return
    }
    out.reserve(rows * width)
    const { bytes } = out
    let at = out.length
    if (width === 1) {
      for (let row = 0; row < rows; row += 1) bytes[at++] = values[row] ?? 0
    } else {
      for (let row = 0; row < rows; row += 1) {
        const index = values[row] ?? 0
        bytes[at++] = index & 255
        bytes[at++] = index >>> 8
      }
    }
    out.length = at
  }
}

function indexWidth(keys: number): 1 | 2 | 4 {
  if (keys <= 256) return 1
  return keys <= 65_536 ? 2 : 4
}
