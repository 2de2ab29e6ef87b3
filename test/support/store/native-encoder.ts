// A small reference encoder of ClickHouse's Native format for tests: one block, column by column,
// JSON in its flattened form. Slow and plain on purpose; the writer has its own.

export type NativeColumn = { readonly name: string; readonly type: string }
/** Marks a JSON value that goes into the LowCardinality(String) variant. */
export class LowCardinal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export type JsonValue = string | number | boolean | LowCardinal
export type NativeValue =
  | string
  | number
  | bigint
  | Uint8Array
  | Readonly<Record<string, JsonValue>>

export function encodeNative(
  columns: readonly NativeColumn[],
  rows: readonly Readonly<Record<string, NativeValue>>[],
): Buffer {
  const parts = [varint(columns.length), varint(rows.length)]
  for (const { name, type } of columns) {
    const values = rows.map((row) => row[name] ?? defaultOf(type))
    parts.push(text(name), text(type), column(type, values))
  }
  return Buffer.concat(parts)
}

function column(type: string, values: readonly NativeValue[]): Buffer {
  const inner = /^SimpleAggregateFunction\(\w+, (.*)\)$/.exec(type)?.[1]
  if (inner !== undefined) return column(inner, values)
  if (type === 'LowCardinality(String)')
    return Buffer.concat([u64(1), lowCardinality(values.map(String))])
  if (type.startsWith('JSON')) return json(values)
  return Buffer.concat(values.map((value) => scalar(type, value)))
}

function scalar(type: string, value: NativeValue): Buffer {
  if (type === 'String') return value instanceof Uint8Array ? bytes(value) : text(String(value))
  const fixed = /^FixedString\((\d+)\)$/.exec(type)?.[1]
  if (fixed !== undefined) {
    const buffer = Buffer.alloc(Number(fixed))
    if (value instanceof Uint8Array) buffer.set(value)
    else buffer.write(String(value))
    return buffer
  }
  if (type === 'Float64') return write(8, (buffer) => buffer.writeDoubleLE(Number(value)))
  if (type === 'Bool') return Buffer.from([value ? 1 : 0])
  const number = BigInt(typeof value === 'object' ? 0 : value)
  if (type.startsWith('DateTime64')) return write(8, (buffer) => buffer.writeBigInt64LE(number))
  if (type.startsWith('DateTime')) return write(4, (buffer) => buffer.writeUInt32LE(Number(number)))
  const size = Number(/^UInt(\d+)$/.exec(type)?.[1]) / 8
  if (size === 8) return u64(number)
  return write(size, (buffer) => buffer.writeUIntLE(Number(number), 0, size))
}

/** Without its version, which is the prefix of the column. Nothing at all for no rows. */
function lowCardinality(values: readonly string[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const keys = [...new Set(values)]
  const at = new Map(keys.map((key, i) => [key, i]))
  const width = keys.length <= 256 ? 1 : keys.length <= 65_536 ? 2 : 4
  const indexes = values.map((value) =>
    write(width, (buffer) => buffer.writeUIntLE(at.get(value) ?? 0, 0, width)),
  )
  return Buffer.concat([
    u64(512 | (width >> 1)),
    u64(keys.length),
    ...keys.map(text),
    u64(values.length),
    ...indexes,
  ])
}

function json(values: readonly NativeValue[]): Buffer {
  const rows = values.map((value) => new Map(Object.entries(value)))
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort()
  const heads: Buffer[] = []
  const bodies: Buffer[] = []
  for (const path of paths) {
    const cells = rows.map((row) => row.get(path))
    const types = [...new Set(cells.flatMap((cell) => (cell === undefined ? [] : [typeOf(cell)])))]
    heads.push(u64(3), varint(types.length), ...types.map(text))
    for (const type of types) if (type === 'LowCardinality(String)') heads.push(u64(1))
    bodies.push(
      Buffer.from(
        cells.map((cell) => (cell === undefined ? types.length : types.indexOf(typeOf(cell)))),
      ),
    )
    for (const type of types) {
      const own = cells.flatMap((cell) =>
        cell !== undefined && typeOf(cell) === type ? [cell] : [],
      )
      const plain = own.map((cell) => (cell instanceof LowCardinal ? cell.text : cell))
      bodies.push(
        type === 'LowCardinality(String)'
          ? lowCardinality(plain.map(String))
          : Buffer.concat(
              plain.map((cell) => scalar(type, typeof cell === 'boolean' ? Number(cell) : cell)),
            ),
      )
    }
  }
  return Buffer.concat([u64(3), varint(paths.length), ...paths.map(text), ...heads, ...bodies])
}

function typeOf(value: JsonValue): string {
  if (value instanceof LowCardinal) return 'LowCardinality(String)'
  if (typeof value === 'number') return 'Float64'
  return typeof value === 'boolean' ? 'Bool' : 'String'
}

function defaultOf(type: string): NativeValue {
  if (type.startsWith('JSON')) return {}
  return /String/.test(type) ? '' : 0
}

function text(value: string): Buffer {
  return bytes(Buffer.from(value))
}

function bytes(value: Uint8Array): Buffer {
  return Buffer.concat([varint(value.length), value])
}

function u64(value: number | bigint): Buffer {
  return write(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)))
}

function write(size: number, fill: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(size)
  fill(buffer)
  return buffer
}

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  while (rest >= 128) {
    out.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...out, rest])
}
