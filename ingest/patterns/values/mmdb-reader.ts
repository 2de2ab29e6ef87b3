// Looks an address up in a database of places in MaxMind's format (MMDB 2), which is given as bytes
// (docs/decisions/0038). A file is somebody else's: every offset is checked, and what is damaged is
// no place.

export type Located = {
  /** ISO 3166 code, '' for unknown. */
  readonly country: string
  /** English name, '' for unknown. */
  readonly city: string
  readonly latitude: number | undefined
  readonly longitude: number | undefined
}

const MARKER = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1')
const MAX_METADATA_BYTES = 131_072
const SEPARATOR_BYTES = 16
const MAX_DEPTH = 32
/** Values of one record; more are a file that was made to cost much. */
const MAX_VALUES = 10_000

export class MmdbReader {
  readonly #bytes: Buffer
  readonly #nodeCount: number
  readonly #recordBits: number
  readonly #isV6: boolean
  readonly #dataStart: number
  /** Where IPv4 addresses begin in a tree of IPv6. */
  readonly #startV4: number
  #next = 0
  #values = 0

  /** Throws RangeError for what is no such file. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const marker = bytes.lastIndexOf(MARKER)
    if (marker < 0 || bytes.length - marker > MAX_METADATA_BYTES)
      throw new RangeError('this is no MMDB file')
    this.#dataStart = marker + MARKER.length
    const metadata = this.#read(0)
    const numberOf = (name: string) => Number(property(metadata, name))
    this.#nodeCount = numberOf('node_count')
    this.#recordBits = numberOf('record_size')
    this.#isV6 = numberOf('ip_version') === 6
    const treeBytes = (this.#nodeCount * this.#recordBits) / 4
    if (numberOf('binary_format_major_version') !== 2 || ![24, 28, 32].includes(this.#recordBits))
      throw new RangeError('this version of the MMDB format is not known')
    if (!(this.#nodeCount > 0 && treeBytes + SEPARATOR_BYTES <= marker))
      throw new RangeError('the MMDB file is damaged')
    this.#dataStart = treeBytes + SEPARATOR_BYTES
    let node = 0
    if (this.#isV6)
      for (let i = 0; i < 96 && node < this.#nodeCount; i++) node = this.#child(node, 0)
    this.#startV4 = node
  }

  /** `address`: its 4 or 16 bytes. undefined: nothing is known of it. */
  locate(address: readonly number[]): Located | undefined {
    if (address.length === 16 && !this.#isV6) return undefined
    let node = address.length === 4 ? this.#startV4 : 0
    for (let bit = 0; bit < address.length * 8 && node < this.#nodeCount; bit++)
      node = this.#child(node, ((address[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
    if (node <= this.#nodeCount) return undefined
    try {
      return toLocated(this.#read(node - this.#nodeCount - SEPARATOR_BYTES))
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  #child(node: number, side: 0 | 1 | number): number {
    const bytes = this.#bytes
    const at = (node * this.#recordBits) / 4
    switch (this.#recordBits) {
      case 24:
        return bytes.readUIntBE(at + side * 3, 3)
      case 28: {
        const middle = bytes[at + 3] ?? 0
        return side === 0
          ? (middle >> 4) * 0x1000000 + bytes.readUIntBE(at, 3)
          : (middle & 15) * 0x1000000 + bytes.readUIntBE(at + 4, 3)
      }
      default:
        return bytes.readUInt32BE(at + side * 4)
    }
  }

  #read(offset: number): unknown {
    this.#next = offset
    this.#values = 0
    return this.#value(0)
  }

  #value(depth: number): unknown {
    this.#values++
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES)
      throw new RangeError('the MMDB file is damaged')
    const control = this.#take(1)
    let type = control >> 5
    if (type === 1) return this.#pointed(control, depth)
    if (type === 0) type = 7 + this.#take(1)
    const size = this.#size(control & 31)
    switch (type) {
      case 2:
        return this.#text(size)
      case 3:
        return this.#bytes.readDoubleBE(this.#skip(8))
      case 15:
        return this.#bytes.readFloatBE(this.#skip(4))
      case 5:
      case 6:
        return size === 0 ? 0 : this.#bytes.readUIntBE(this.#skip(size), Math.min(size, 4))
      case 8:
        return size === 0 ? 0 : this.#bytes.readIntBE(this.#skip(size), Math.min(size, 4))
      case 7:
        return this.#map(size, depth)
      case 11:
        return Array.from({ length: Math.min(size, MAX_VALUES) }, () => this.#value(depth + 1))
      case 14:
        return size === 1
      case 4:
      case 9:
      case 10:
        this.#skip(size)
        return undefined
      default:
        throw new RangeError('the MMDB file is damaged')
    }
  }

  #pointed(control: number, depth: number): unknown {
    const extra = (control >> 3) & 3
    const high = control & 7
    const target =
      extra === 0
        ? high * 256 + this.#take(1)
        : extra === 1
          ? 2048 + high * 65_536 + this.#take(2)
          : extra === 2
            ? 526_336 + high * 16_777_216 + this.#take(3)
            : this.#take(4)
    const after = this.#next
    this.#next = target
    const value = this.#value(depth + 1)
    this.#next = after
    return value
  }

  #size(size: number): number {
    if (size < 29) return size
    if (size === 29) return 29 + this.#take(1)
    return size === 30 ? 285 + this.#take(2) : 65_821 + this.#take(3)
  }

  #map(size: number, depth: number): Map<string, unknown> {
    const map = new Map<string, unknown>()
    for (let i = 0; i < size; i++) {
      const key = this.#value(depth + 1)
      map.set(String(key), this.#value(depth + 1))
    }
    return map
  }

  #text(size: number): string {
    const at = this.#skip(size)
    return this.#bytes.toString('utf8', at, at + size)
  }

  #take(count: number): number {
    return this.#bytes.readUIntBE(this.#skip(count), count)
  }

  /** Gives where the bytes passed over begin. */
  #skip(count: number): number {
    const at = this.#dataStart + this.#next
    if (this.#next < 0 || at + count > this.#bytes.length)
      throw new RangeError('the MMDB file is damaged')
    this.#next += count
    return at
  }
}

function toLocated(record: unknown): Located {
  const location = property(record, 'location')
  const country = property(record, 'country') ?? property(record, 'registered_country')
  return {
    country: textOf(property(country, 'iso_code')),
    city: textOf(property(property(property(record, 'city'), 'names'), 'en')),
    latitude: numberOf(property(location, 'latitude')),
    longitude: numberOf(property(location, 'longitude')),
  }
}

function property(value: unknown, name: string): unknown {
  return value instanceof Map ? value.get(name) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
