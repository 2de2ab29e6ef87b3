// Columns of fixed-width numbers, little-endian as in memory on every platform that Node runs on
// here.
import type { ByteBuffer } from '../../bytes/byte-buffer.ts'

const START_ROWS = 1024
const TWO_32 = 4_294_967_296

export class Uint16Column {
  values = new Uint16Array(START_ROWS)
  length = 0

  reset(): void {
    this.length = 0
  }

  append(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint16Array(this.length * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = value
  }

  write(out: ByteBuffer): void {
    out.writeBytes(new Uint8Array(this.values.buffer, 0, this.length * 2))
  }
}

export class Uint32Column {
  values = new Uint32Array(START_ROWS)
  length = 0

  reset(): void {
    this.length = 0
  }

  append(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(this.length * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = value
  }

  filled(): Uint32Array {
    return this.values.subarray(0, this.length)
  }

  write(out: ByteBuffer): void {
    out.writeBytes(new Uint8Array(this.values.buffer, 0, this.length * 4))
  }
}

/** 64-bit integers as pairs of low and high halves: no BigInt on the hot path. */
export class Uint64Column {
  readonly #halves = new Uint32Column()

  get length(): number {
    return this.#halves.length / 2
  }

  reset(): void {
    this.#halves.reset()
  }

  /** A safe, non-negative integer. */
  append(value: number): void {
    // Not `value % TWO_32`: that is a call.
    this.appendHalves(value >>> 0, Math.floor(value / TWO_32))
  }

  appendHalves(low: number, high: number): void {
    this.#halves.append(low)
    this.#halves.append(high)
  }

  write(out: ByteBuffer): void {
    this.#halves.write(out)
  }
}

/** DateTime64(9): nanoseconds since 1970, beyond what a double holds exactly. */
export class NanosecondColumn {
  readonly #column = new Uint64Column()

  reset(): void {
    this.#column.reset()
  }

  /** `milliseconds` from 0 to the year 2199; `nanos` 0 to 999,999 below the millisecond. */
  append(milliseconds: number, nanos: number): void {
    // ms * 10^6 = (high * 10^6) * 2^22 + low * 10^6 with every product below 2^53.
    const millisecondsHigh = Math.floor(milliseconds / 4_194_304)
    const high = millisecondsHigh * 1_000_000
    const low = (milliseconds - millisecondsHigh * 4_194_304) * 1_000_000 + nanos
    const above = Math.floor(high / 1024)
    const rest = (high - above * 1024) * 4_194_304 + low
    this.#column.appendHalves(rest >>> 0, above + Math.floor(rest / TWO_32))
  }

  write(out: ByteBuffer): void {
    this.#column.write(out)
  }
}

export class Float64Column {
  values = new Float64Array(START_ROWS)
  length = 0

  reset(): void {
    this.length = 0
  }

  append(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Float64Array(this.length * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = value
  }

  write(out: ByteBuffer): void {
    out.writeBytes(new Uint8Array(this.values.buffer, 0, this.length * 8))
  }
}
