// One path of the flattened JSON column: for each row one byte that says which variant holds its
// value, and the values of each variant in row order.
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import { ByteDictionary } from '../../bytes/byte-dictionary.ts'
import type { ByteSource } from '../../bytes/byte-source.ts'
import { Float64Column, Uint32Column } from './fixed-column.ts'
import { writeLowCardinalityData, writeLowCardinalityPrefix } from './low-cardinality-data.ts'
import { StringColumn } from './string-column.ts'

/** More distinct texts than this in one block and path are stored as String. */
export const MAX_DISTINCT_TEXTS = 2000
/** A longer text makes the path a String one: its dictionary would be the data itself. */
const MAX_DICTIONARY_BYTES = 1024

/** While a block is built; `write` numbers the variants that occur, in order of their names. */
const BOOL = 0
const FLOAT64 = 1
const LOW_CARDINALITY = 2
const STRING = 3
const ABSENT = 255
const TYPE_NAMES = ['Bool', 'Float64', 'LowCardinality(String)', 'String'] as const

export class JsonPath {
  readonly name: string
  /** Row of the last value; -1 before the first one. */
  lastRow = -1
  /** Kinds that the log of a slot admits under this name, as bits; the caller's notes. */
  #admitted = new Uint8Array(8)
  #variants = new Uint8Array(1024).fill(ABSENT)
  #rows = 0
  #isText = false
  readonly #bools = new Uint8ArrayList()
  readonly #numbers = new Float64Column()
  readonly #dictionary = new ByteDictionary()
  readonly #dictionaryRows = new Uint32Column()
  readonly #strings = new StringColumn()

  constructor(name: string) {
    this.name = name
  }

  reset(): void {
    this.#admitted.fill(0)
    if (this.lastRow < 0) return
    this.#variants.fill(ABSENT, 0, this.#rows)
    this.#rows = 0
    this.lastRow = -1
    this.#isText = false
    this.#bools.reset()
    this.#numbers.reset()
    this.#dictionary.reset()
    this.#dictionaryRows.reset()
    this.#strings.reset()
  }

  isAdmitted(slot: number, bit: number): boolean {
    return ((this.#admitted[slot] ?? 0) & bit) !== 0
  }

  noteAdmitted(slot: number, bit: number): void {
    if (slot >= this.#admitted.length) {
      const grown = new Uint8Array(Math.max(slot + 1, this.#admitted.length * 2))
      grown.set(this.#admitted)
      this.#admitted = grown
    }
    this.#admitted[slot] = (this.#admitted[slot] ?? 0) | bit
  }

  /** UTF-8, as all texts here. */
  appendText(row: number, source: ByteSource, start: number, length: number): void {
    if (!this.#isText && !this.#appendToDictionary(row, source, start, length)) this.#becomeText()
    if (this.#isText) this.appendString(row, source, start, length)
  }

  /** Always the String variant: the text of a number that a double does not hold as written. */
  appendString(row: number, source: ByteSource, start: number, length: number): void {
    this.#strings.appendBytes(source, start, length)
    this.#setVariant(row, STRING)
  }

  appendNumber(row: number, value: number): void {
    this.#numbers.append(value)
    this.#setVariant(row, FLOAT64)
  }

  appendBool(row: number, value: boolean): void {
    this.#bools.append(value ? 1 : 0)
    this.#setVariant(row, BOOL)
  }

  /** The types that occur. */
  writeHeader(out: ByteBuffer): void {
    const types = this.#types()
    out.writeUint64(3)
    out.writeVarint(types.length)
    for (const type of types) out.writeString(TYPE_NAMES[type] ?? '')
    if (types.includes(LOW_CARDINALITY)) writeLowCardinalityPrefix(out)
  }

  writeData(out: ByteBuffer, rows: number): void {
    const types = this.#types()
    this.#writeVariants(out, rows, types)
    for (const type of types) {
      if (type === BOOL) this.#bools.write(out)
      else if (type === FLOAT64) this.#numbers.write(out)
      else if (type === STRING) this.#strings.write(out)
      else {
        const { keys, count } = this.#dictionary
        writeLowCardinalityData(out, this.#dictionaryRows, keys, count)
      }
    }
  }

  #writeVariants(out: ByteBuffer, rows: number, types: readonly number[]): void {
    const codes = new Uint8Array(256).fill(types.length)
    types.forEach((type, code) => {
      codes[type] = code
    })
    out.reserve(rows)
    const { bytes } = out
    const start = out.length
    const written = Math.min(rows, this.#rows)
    for (let row = 0; row < written; row += 1) {
      bytes[start + row] = codes[this.#variants[row] ?? ABSENT] ?? types.length
    }
    bytes.fill(types.length, start + written, start + rows)
    out.length = start + rows
  }

  #types(): number[] {
    const types: number[] = []
    if (this.#bools.length > 0) types.push(BOOL)
    if (this.#numbers.length > 0) types.push(FLOAT64)
    if (this.#dictionaryRows.length > 0) types.push(LOW_CARDINALITY)
    if (this.#strings.length > 0) types.push(STRING)
    return types
  }

  #appendToDictionary(row: number, source: ByteSource, start: number, length: number): boolean {
    if (length > MAX_DICTIONARY_BYTES) return false
    const index = this.#dictionary.indexOf(source, start, length, MAX_DISTINCT_TEXTS)
    if (index < 0) return false
    this.#dictionaryRows.append(index)
    this.#setVariant(row, LOW_CARDINALITY)
    return true
  }

  #setVariant(row: number, variant: number): void {
    if (row >= this.#variants.length) {
      const grown = new Uint8Array(Math.max(row + 1, this.#variants.length * 2)).fill(ABSENT)
      grown.set(this.#variants)
      this.#variants = grown
    }
    this.#variants[row] = variant
    this.#rows = row + 1
    this.lastRow = row
  }

  /** From now on texts are Strings, those already there, too: values of one variant must stand in
   *  row order. */
  #becomeText(): void {
    this.#isText = true
    const exact = new ByteBuffer()
    exact.writeBuffer(this.#strings.contents())
    this.#strings.reset()
    let exactAt = 0
    let texts = 0
    for (let row = 0; row < this.#rows; row += 1) {
      const variant = this.#variants[row]
      if (variant === LOW_CARDINALITY) {
        const index = this.#dictionaryRows.values[texts++] ?? 0
        const { keys } = this.#dictionary
        this.#strings.appendBytes(
          keys,
          this.#dictionary.startOf(index),
          this.#dictionary.lengthOf(index),
        )
        this.#variants[row] = STRING
      } else if (variant === STRING) {
        const [start, length] = readLength(exact.bytes, exactAt)
        this.#strings.appendBytes(exact, start, length)
        exactAt = start + length
      }
    }
    this.#dictionary.reset()
    this.#dictionaryRows.reset()
  }
}

/** Where the bytes after the varint length at `at` begin, and how many they are. */
function readLength(bytes: Uint8Array, at: number): [start: number, length: number] {
  let length = 0
  let next = at
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[next++] ?? 0
    length += (byte & 127) * factor
    if (byte < 128) return [next, length]
  }
}

class Uint8ArrayList {
  #values = new Uint8Array(64)
  length = 0

  reset(): void {
    this.length = 0
  }

  append(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint8Array(this.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }

  write(out: ByteBuffer): void {
    out.writeBytes(this.#values.subarray(0, this.length))
  }
}
