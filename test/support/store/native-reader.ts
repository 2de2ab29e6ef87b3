// Reads ClickHouse's Native form of one block, written from its description alone: the
// counter-check of ingest/writer/native.
type Value = string | number | bigint | boolean | undefined | Record<string, unknown>

export type ReadNativeBlock = {
  readonly rows: number
  readonly types: Readonly<Record<string, string>>
  readonly columns: Readonly<Record<string, readonly Value[]>>
}

export function readNativeBlock(bytes: Uint8Array): ReadNativeBlock {
  const reader = new Reader(bytes)
  const columnCount = reader.varint()
  const rows = reader.varint()
  const types: Record<string, string> = {}
  const columns: Record<string, readonly Value[]> = {}
  for (let i = 0; i < columnCount; i += 1) {
    const name = reader.text()
    const type = reader.text()
    types[name] = type
    columns[name] = readColumn(reader, type, rows)
  }
  if (!reader.isAtEnd) throw new Error('bytes after the block')
  return { rows, types, columns }
}

function readColumn(reader: Reader, type: string, rows: number): Value[] {
  if (type === 'LowCardinality(String)') {
    reader.expectUint64(1n)
    return readLowCardinality(reader, rows)
  }
  if (type.startsWith('JSON(')) return readJson(reader, rows)
  return Array.from({ length: rows }, () => readScalar(reader, type))
}

function readScalar(reader: Reader, type: string): Value {
  if (type === 'String') return reader.text()
  if (type === 'FixedString(16)') return reader.take(16).toString('latin1')
  if (type === 'Bool') return reader.take(1)[0] === 1
  if (type === 'UInt16') return reader.take(2).readUInt16LE()
  if (type === 'UInt32' || type.startsWith("DateTime('")) return reader.take(4).readUInt32LE()
  if (type === 'Float64') return reader.take(8).readDoubleLE()
  if (type === 'UInt64' || type.endsWith(', UInt64)')) return reader.take(8).readBigUInt64LE()
  if (type.startsWith('DateTime64(')) return reader.take(8).readBigInt64LE()
  throw new Error(`type ${type}`)
}

function readLowCardinality(reader: Reader, rows: number): string[] {
  if (rows === 0) return []
  const flags = reader.uint64()
  if ((flags & 512n) === 0n) throw new Error('no keys')
  const width = 1 << Number(flags & 15n)
  const keys = Array.from({ length: Number(reader.uint64()) }, () => reader.text())
  reader.expectUint64(BigInt(rows))
  return Array.from({ length: rows }, () => {
    const key = keys[reader.take(width).readUIntLE(0, width)]
    if (key === undefined) throw new Error('index beyond the keys')
    return key
  })
}

/** Each row as an object: path -> `[type, value]`. */
function readJson(reader: Reader, rows: number): Record<string, unknown>[] {
  reader.expectUint64(3n)
  const names = Array.from({ length: reader.varint() }, () => reader.text())
  const types = names.map(() => {
    reader.expectUint64(3n)
    const list = Array.from({ length: reader.varint() }, () => reader.text())
    for (const type of list) if (type.startsWith('LowCardinality')) reader.expectUint64(1n)
    return list
  })
  const objects = Array.from({ length: rows }, (): Map<string, unknown> => new Map())
  names.forEach((name, path) => {
    const list = types[path] ?? []
    const variants = [...reader.take(rows)]
    list.forEach((type, variant) => {
      const holders = variants.flatMap((it, row) => (it === variant ? [row] : []))
      const values = type.startsWith('LowCardinality')
        ? readLowCardinality(reader, holders.length)
        : holders.map(() => readScalar(reader, type))
      holders.forEach((row, i) => {
        objects[row]?.set(name, [type, values[i]])
      })
    })
    if (variants.some((it) => it > list.length)) throw new Error('variant beyond the types')
  })
  return objects.map((object) => Object.fromEntries(object))
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(count: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + count)
    if (taken.length < count) throw new Error('the block ends too early')
    this.#at += count
    return taken
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.take(1)[0] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }

  text(): string {
    return this.take(this.varint()).toString('utf8')
  }

  uint64(): bigint {
    return this.take(8).readBigUInt64LE()
  }

  expectUint64(value: bigint): void {
    const found = this.uint64()
    if (found !== value) throw new Error(`${found} instead of ${value}`)
  }
}
