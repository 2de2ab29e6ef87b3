// Distinct byte strings, numbered in the order in which they came; their bytes stand in Native's
// form, ready to be sent.

import { ByteBuffer } from './byte-buffer.ts'
import { areEqual, type ByteSource, hashOf } from './byte-source.ts'

const START_PLACES = 64
/** Strings made up to have one hash would make each look-up a walk over all: beyond so many the
 *  dictionary counts as full. */
const MAX_STEPS = 64

export class ByteDictionary {
  /** Varint length and bytes of each. */
  readonly keys = new ByteBuffer()
  /** Number + 1 by hash; 0 for a free place. */
  #places = new Int32Array(START_PLACES)
  readonly #hashes: number[] = []
  readonly #starts: number[] = []
  readonly #lengths: number[] = []
  #count = 0
  #last = -1

  get count(): number {
    return this.#count
  }

  reset(): void {
    if (this.#count === 0) return
    this.keys.reset()
    this.#places.fill(0)
    this.#count = 0
    this.#last = -1
  }

  startOf(index: number): number {
    return this.#starts[index] ?? 0
  }

  lengthOf(index: number): number {
    return this.#lengths[index] ?? 0
  }

  /** The number of these bytes, which are added if there are fewer than `most`; -1 when there is no
   *  room for them. */
  indexOf(source: ByteSource, start: number, length: number, most: number): number {
    if (this.#last >= 0 && this.#isAt(this.#last, source, start, length)) return this.#last
    const hash = hashOf(source, start, length)
    const mask = this.#places.length - 1
    let place = hash & mask
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const index = (this.#places[place] ?? 0) - 1
      if (index < 0) return this.#count < most ? this.#add(source, start, length, hash, place) : -1
      if (this.#hashes[index] === hash && this.#isAt(index, source, start, length)) {
        this.#last = index
        return index
      }
      place = (place + 1) & mask
    }
    return -1
  }

  #isAt(index: number, source: ByteSource, start: number, length: number): boolean {
    return (
      this.#lengths[index] === length &&
      areEqual(source, start, this.keys, this.#starts[index] ?? 0, length)
    )
  }

  #add(source: ByteSource, start: number, length: number, hash: number, place: number): number {
    const index = this.#count++
    this.#places[place] = index + 1
    this.keys.writeStringBytes(source, start, length)
    this.#hashes[index] = hash
    this.#starts[index] = this.keys.length - length
    this.#lengths[index] = length
    this.#last = index
    if (this.#count * 2 > this.#places.length) this.#grow()
    return index
  }

  #grow(): void {
    this.#places = new Int32Array(this.#places.length * 2)
    const mask = this.#places.length - 1
    for (let index = 0; index < this.#count; index += 1) {
      let place = (this.#hashes[index] ?? 0) & mask
      while (this.#places[place] !== 0) place = (place + 1) & mask
      this.#places[place] = index + 1
    }
  }
}
