// The bytes of one file, read forwards: as they lie there, or those that are packed in it.
import { type Packing, packingOf, unpack } from './packing.ts'
import type { OpenFile } from './sources/file-source.ts'

type ReadBytes = {
  readonly bytes: Buffer
  /** Nothing stands behind them now. */
  readonly isEnd: boolean
}

export interface FileBytes {
  /** undefined: as they lie there. */
  readonly packing: Packing | undefined
  /** At most `length`, fewer at the end only. Fails with a SystemError, or PackedFault for what is
   *  packed wrong, or not whole yet. */
  read(from: number, length: number): Promise<ReadBytes>
  close(): void
}

const MAGIC_BYTES = 8
/** Of most reads all that comes: a place for a whole piece is made behind it. */
const FIRST_BYTES = 16 * 1024

/** The handle stays the caller's. */
export async function openFileBytes(handle: OpenFile): Promise<FileBytes> {
  const magic = Buffer.alloc(MAGIC_BYTES)
  const { bytesRead } = await handle.read(magic, 0, MAGIC_BYTES, 0)
  const packing = packingOf(magic.subarray(0, bytesRead))
  return packing === undefined ? new PlainBytes(handle) : new PackedBytes(handle, packing)
}

class PlainBytes implements FileBytes {
  readonly packing = undefined
  readonly #handle: OpenFile

  constructor(handle: OpenFile) {
    this.#handle = handle
  }

  async read(from: number, length: number): Promise<ReadBytes> {
    let bytes = Buffer.allocUnsafe(Math.min(length, FIRST_BYTES))
    let at = 0
    while (at < length) {
      if (at === bytes.length) bytes = Buffer.concat([bytes], length)
      const { bytesRead } = await this.#handle.read(bytes, at, bytes.length - at, from + at)
      // Copied: what little came would keep all that was asked for.
      if (bytesRead === 0) return { bytes: Buffer.from(bytes.subarray(0, at)), isEnd: true }
      at += bytesRead
    }
    return { bytes, isEnd: false }
  }

  close(): void {
    // Nothing but the handle.
  }
}

/** Kept is what the last call asked for: the next begins in it. A step backwards unpacks anew. */
class PackedBytes implements FileBytes {
  readonly packing: Packing
  readonly #handle: OpenFile
  #parts: AsyncIterator<Buffer> | undefined
  #end: (() => void) | undefined
  #kept: Buffer = Buffer.alloc(0)
  #keptFrom = 0
  #isEnd = false

  constructor(handle: OpenFile, packing: Packing) {
    this.#handle = handle
    this.packing = packing
  }

  async read(from: number, length: number): Promise<ReadBytes> {
    if (this.#parts === undefined || from < this.#keptFrom) this.#begin()
    while (!this.#isEnd && this.#keptFrom + this.#kept.length < from + length)
      await this.#take(from)
    this.#drop(from)
    const bytes = this.#kept.subarray(0, length)
    return { bytes, isEnd: this.#isEnd && bytes.length === this.#kept.length }
  }

  close(): void {
    this.#end?.()
    this.#end = undefined
    this.#parts = undefined
    this.#kept = Buffer.alloc(0)
  }

  #begin(): void {
    this.close()
    const { parts, end } = unpack(this.#handle, this.packing)
    this.#parts = parts[Symbol.asyncIterator]()
    this.#end = end
    this.#keptFrom = 0
    this.#isEnd = false
  }

  async #take(from: number): Promise<void> {
    try {
      const next = await this.#parts?.next()
      if (next === undefined || next.done === true) {
        this.#isEnd = true
        return
      }
      this.#drop(from)
      this.#kept = Buffer.concat([this.#kept, next.value])
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** What lies before. */
  #drop(from: number): void {
    const count = Math.min(this.#kept.length, Math.max(0, from - this.#keptFrom))
    this.#kept = this.#kept.subarray(count)
    this.#keptFrom += count
  }
}
