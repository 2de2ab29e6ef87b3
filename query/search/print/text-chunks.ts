// Rows gathered to chunks of a size that is worth sending.
import type { RowCells } from './row-cells.ts'
import type { RowPrinter } from './row-printer.ts'

const CHUNK_CHARACTERS = 64 * 1024

export class TextChunks {
  readonly #cells: RowCells
  readonly #printer: RowPrinter
  readonly #write: (chunk: Uint8Array) => Promise<void>
  #text: string
  #rowCount = 0

  constructor(cells: RowCells, printer: RowPrinter, write: (chunk: Uint8Array) => Promise<void>) {
    this.#cells = cells
    this.#printer = printer
    this.#write = write
    this.#text = printer.opening
  }

  get rowCount(): number {
    return this.#rowCount
  }

  /** Waits whenever a chunk is full and not taken. */
  async add(rows: readonly (readonly unknown[])[]): Promise<void> {
    for (const row of rows) {
      this.#text += this.#printer.print(this.#cells(row))
      this.#rowCount += 1
      if (this.#text.length >= CHUNK_CHARACTERS) await this.#flush()
    }
  }

  async end(): Promise<void> {
    this.#text += this.#printer.closing
    await this.#flush()
  }

  async #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    if (text !== '') await this.#write(this.#printer.toBytes(text))
  }
}
