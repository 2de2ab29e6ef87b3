// A file as it passes: its bytes are looked at, never unpacked and never kept.
import { Failure } from '../../../../schemas/failures.ts'

/** Both throw portal.file_refused. */
export interface Inspector {
  /** Each byte once, in order. */
  add(chunk: Uint8Array): void
  /** There are no more. */
  end(): void
}

export function refuseFile(reason: string): Failure {
  return new Failure('portal.file_refused', { reason })
}

/** The last bytes of what passes. */
export class Tail {
  readonly #size: number
  #chunks: Uint8Array[] = []
  #held = 0
  /** Of all that passed. */
  total = 0

  constructor(size: number) {
    this.#size = size
  }

  add(chunk: Uint8Array): void {
    // A copy: the sender's memory may be larger than what is kept of it.
    this.#chunks.push(Uint8Array.from(chunk))
    this.#held += chunk.length
    this.total += chunk.length
    for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
      if (this.#held - first.length < this.#size) break
      this.#chunks.shift()
      this.#held -= first.length
    }
  }

  bytes(): Buffer {
    const all = Buffer.concat(this.#chunks)
    return all.subarray(Math.max(0, all.length - this.#size))
  }
}

/** How far from the end a reader of ZIP looks for the begin. */
export const ZIP_REACH = 22 + 65_535

/** What a reader of ZIP would open, whatever else it is. */
export function isAlsoZip(tail: Buffer): boolean {
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + 22 > tail.length) return false
    // One disk, and as many entries on it as in all: four chance bytes are no archive.
    const isOneDisk = tail.readUInt32LE(at + 4) === 0
    if (isOneDisk && tail.readUInt16LE(at + 8) === tail.readUInt16LE(at + 10)) return true
  }
  return false
}
export const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
