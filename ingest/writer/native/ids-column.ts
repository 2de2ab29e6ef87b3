import { ID_SEPARATOR, printNames } from '../../../schemas/shown-columns.ts'
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import type { ByteSource } from '../../bytes/byte-source.ts'
import { LowCardinalityColumn } from './low-cardinality-column.ts'
import { StringColumn } from './string-column.ts'

const SEPARATOR = ID_SEPARATOR.charCodeAt(0)

/** The columns `id_names` and `ids`: two texts a row. A Map of them takes the store three times as
 *  long to merge. */
export class IdsColumn {
  readonly #names = new LowCardinalityColumn()
  readonly #values = new StringColumn()
  readonly #rowNames: string[] = []
  readonly #rowValues = new ByteBuffer()

  get nameBytes(): number {
    return this.#names.valueBytes
  }

  reset(): void {
    this.#names.reset()
    this.#values.reset()
    this.#rowNames.length = 0
    this.#rowValues.reset()
  }

  /** One identifier of the row that the next `endRow` closes. */
  append(name: string, source: ByteSource, start: number, length: number): void {
    if (this.#rowNames.push(name) > 1) this.#rowValues.writeByte(SEPARATOR)
    this.#rowValues.writeRange(source, start, length)
  }

  endRow(): void {
    const names = this.#rowNames
    if (names.length === 0) {
      this.#names.append('')
      this.#values.appendEmpty()
      return
    }
    this.#names.append(names.length === 1 ? (names[0] ?? '') : printNames(names))
    this.#values.appendBytes(this.#rowValues, 0, this.#rowValues.length)
    names.length = 0
    this.#rowValues.reset()
  }

  writeNames(out: ByteBuffer): void {
    this.#names.write(out)
  }

  writeValues(out: ByteBuffer): void {
    this.#values.write(out)
  }
}
