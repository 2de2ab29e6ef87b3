// A growing buffer, reused from block to block: one column's bytes, or what was made of an event's.
// Varint, string and integer forms are ClickHouse's Native ones.
import { type ByteSource, copyBytes, viewOf } from './byte-source.ts'

const START_BYTES = 4096
/** A buffer that one odd block has grown beyond this is given back at reset. */
const KEPT_BYTES = 32 * 1024 * 1024
/** Below this many characters a loop in JavaScript is quicker than the call into the engine. */
const LOOP_CHARACTERS = 40

export class ByteBuffer implements ByteSource {
  bytes: Buffer
  view: DataView
  length = 0
  readonly #keptBytes: number

  constructor(capacity: number = START_BYTES, keptBytes: number = KEPT_BYTES) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
    this.view = viewOf(this.bytes)
    this.#keptBytes = keptBytes
  }

  reset(): void {
    this.length = 0
    if (this.bytes.length > this.#keptBytes) this.#take(Buffer.allocUnsafeSlow(START_BYTES))
  }

  /** Room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count > this.bytes.length) this.#grow(this.length + count)
  }

  writeByte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  /** Unsigned 64-bit little-endian of a safe integer. */
  writeUint64(value: number): void {
    this.reserve(8)
    this.bytes.writeUInt32LE(value % 4_294_967_296, this.length)
    this.bytes.writeUInt32LE(Math.floor(value / 4_294_967_296), this.length + 4)
    this.length += 8
  }

  writeVarint(value: number): void {
    this.reserve(10)
    this.length = putVarint(this.bytes, this.length, value)
  }

  /** Varint length and UTF-8 bytes; a lone surrogate becomes U+FFFD. */
  writeString(text: string): void {
    const characters = text.length
    this.reserve(characters * 3 + 10)
    if (characters < LOOP_CHARACTERS && this.#writeShortAscii(text, characters)) return
    const { bytes, length } = this
    const prefixBytes = varintBytes(characters)
    const start = length + prefixBytes
    const written = bytes.write(text, start)
    const neededBytes = varintBytes(written)
    if (neededBytes !== prefixBytes) {
      bytes.copyWithin(length + neededBytes, start, start + written)
    }
    putVarint(bytes, length, written)
    this.length = length + neededBytes + written
  }

  /** UTF-8 bytes alone; a lone surrogate becomes U+FFFD. Gives how many. */
  writeText(text: string): number {
    this.reserve(text.length * 3)
    const written = this.bytes.write(text, this.length)
    this.length += written
    return written
  }

  /** Varint length and `length` bytes of `source` from `start` on. */
  writeStringBytes(source: ByteSource, start: number, length: number): void {
    this.reserve(length + 10)
    if (length < 128) this.bytes[this.length++] = length
    else this.length = putVarint(this.bytes, this.length, length)
    copyBytes(source, start, this, this.length, length)
    this.length += length
  }

  /** `length` bytes of `source` from `start` on. */
  writeRange(source: ByteSource, start: number, length: number): void {
    this.reserve(length)
    copyBytes(source, start, this, this.length, length)
    this.length += length
  }

  writeBytes(source: Uint8Array): void {
    this.reserve(source.length)
    this.bytes.set(source, this.length)
    this.length += source.length
  }

  writeBuffer(source: ByteBuffer): void {
    this.reserve(source.length)
    source.bytes.copy(this.bytes, this.length, 0, source.length)
    this.length += source.length
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(grown, 0, 0, this.length)
    this.#take(grown)
  }

  #take(bytes: Buffer): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }

  #writeShortAscii(text: string, characters: number): boolean {
    const { bytes } = this
    let at = this.length
    bytes[at++] = characters
    for (let i = 0; i < characters; i += 1) {
      const code = text.charCodeAt(i)
      if (code > 127) return false
      bytes[at++] = code
    }
    this.length = at
    return true
  }
}

function varintBytes(value: number): number {
  if (value < 128) return 1
  if (value < 16_384) return 2
  if (value < 2_097_152) return 3
  return value < 268_435_456 ? 4 : 5
}

function putVarint(bytes: Buffer, at: number, value: number): number {
  let rest = value
  let next = at
  while (rest >= 128) {
    bytes[next++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  bytes[next++] = rest
  return next
}
