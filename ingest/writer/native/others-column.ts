import {
  escapeOther,
  OTHER_ESCAPE,
  OTHER_NAME_END,
  REST_SEPARATOR,
} from '../../../schemas/shown-columns.ts'
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import type { ByteSource } from '../../bytes/byte-source.ts'
import { StringColumn } from './string-column.ts'

const END = REST_SEPARATOR.charCodeAt(0)
const ESCAPE = OTHER_ESCAPE.charCodeAt(0)

/** The column `others` (schemas/shown-columns.ts): a text a row, as a rule empty. A Map, empty too,
 *  takes ten times as long to merge. */
export class OthersColumn {
  readonly #texts = new StringColumn()
  readonly #row = new ByteBuffer()

  get bytes(): number {
    return this.#texts.contents().length
  }

  reset(): void {
    this.#texts.reset()
    this.#row.reset()
  }

  /** One column of the row that the next `endRow` closes. */
  append(name: string, source: ByteSource, start: number, length: number): void {
    const row = this.#row
    row.writeText(escapeOther(name) + OTHER_NAME_END)
    const value = source.bytes.subarray(start, start + length)
    // JSON text, which most of them are, holds neither.
    if (value.includes(END) || value.includes(ESCAPE)) row.writeText(escapeOther(value.toString()))
    else row.writeRange(source, start, length)
    row.writeByte(END)
  }

  endRow(): void {
    const row = this.#row
    if (row.length === 0) this.#texts.appendEmpty()
    else this.#texts.appendBytes(row, 0, row.length)
    row.reset()
  }

  write(out: ByteBuffer): void {
    this.#texts.write(out)
  }
}
