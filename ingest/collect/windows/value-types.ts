// Values of binary XML by their type (MS-EVEN6, 2.2.12).
import { trimEnd } from '../../../schemas/names/trim-end.ts'

export type EvtxValue = string | number | boolean

const ARRAY = 0x80
const STRING = 0x01
/** 100 ns from 1601 to 1970. */
const EPOCH = 116_444_736_000_000_000n

type Read = (bytes: Buffer) => EvtxValue

/** By type: how many bytes one value has, and how it is read. */
const FIXED: ReadonlyMap<number, readonly [bytes: number, read: Read]> = new Map<
  number,
  readonly [number, Read]
>([
  [0x03, [1, (b) => b.readInt8()]],
  [0x04, [1, (b) => b.readUInt8()]],
  [0x05, [2, (b) => b.readInt16LE()]],
  [0x06, [2, (b) => b.readUInt16LE()]],
  [0x07, [4, (b) => b.readInt32LE()]],
  [0x08, [4, (b) => b.readUInt32LE()]],
  [0x09, [8, (b) => exact(b.readBigInt64LE())]],
  [0x0a, [8, (b) => exact(b.readBigUInt64LE())]],
  [0x0b, [4, (b) => b.readFloatLE()]],
  [0x0c, [8, (b) => b.readDoubleLE()]],
  [0x0d, [4, (b) => b.readUInt32LE() !== 0]],
  [0x0f, [16, readGuid]],
  [0x11, [8, readFileTime]],
  [0x12, [16, readSystemTime]],
  [0x14, [4, (b) => `0x${b.readUInt32LE().toString(16)}`]],
  [0x15, [8, (b) => `0x${b.readBigUInt64LE().toString(16)}`]],
])

/** One; several of an array; none of null and of an empty one. Fails with RangeError. */
export function readValue(bytes: Buffer, type: number): EvtxValue[] {
  if (type === (STRING | ARRAY)) {
    const all = bytes.toString('utf16le').replace(/\0$/, '').split('\0')
    return bytes.length === 0 ? [] : [wellFormed(all.join(','))]
  }
  const fixed = FIXED.get(type & ~ARRAY)
  if (fixed !== undefined) {
    const [size, read] = fixed
    if ((type & ARRAY) === 0) return bytes.length === 0 ? [] : [read(bytes)]
    const all: EvtxValue[] = []
    for (let at = 0; at + size <= bytes.length; at += size)
      all.push(read(bytes.subarray(at, at + size)))
    return all.length === 0 ? [] : [all.join(',')]
  }
  if (bytes.length === 0) return type === STRING ? [''] : []
  switch (type) {
    case 0x00:
      return []
    case STRING:
    case 0x23:
      return [wellFormed(trimEnd(bytes.toString('utf16le'), '\0'))]
    case 0x02:
      return [trimEnd(bytes.toString('latin1'), '\0')]
    case 0x0e:
      return [bytes.toString('hex').toUpperCase()]
    case 0x10:
      return [readSize(bytes)]
    case 0x13:
      return [readSid(bytes)]
    default:
      throw new RangeError(`type ${type}`)
  }
}

/** Halves of a character alone are no text. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** A number as long as it is one in JSON. */
function exact(value: bigint): EvtxValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

function readGuid(bytes: Buffer): string {
  const [a, b, c] = [bytes.readUInt32LE(), bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0')
  const head = `${hex(a, 8)}-${hex(b, 4)}-${hex(c, 4)}`
  return `${head}-${bytes.toString('hex', 8, 10)}-${bytes.toString('hex', 10, 16)}`.toUpperCase()
}

function readFileTime(bytes: Buffer): string {
  const ticks = bytes.readBigUInt64LE() - EPOCH
  const ms = Number(ticks / 10_000n)
  if (ms < -62_135_596_800_000 || ms > 253_402_300_799_999) throw new RangeError('time')
  const micros = String(Number((ticks % 10_000n) / 10n)).padStart(3, '0')
  return new Date(ms).toISOString().replace('Z', `${micros}Z`)
}

function readSystemTime(bytes: Buffer): string {
  const at = (index: number) => bytes.readUInt16LE(index * 2)
  const ms = Date.UTC(at(0), at(1) - 1, at(3), at(4), at(5), at(6), at(7))
  return new Date(ms).toISOString().replace('Z', '000Z')
}

function readSize(bytes: Buffer): string {
  const value = bytes.length >= 8 ? bytes.readBigUInt64LE() : BigInt(bytes.readUInt32LE())
  return `0x${value.toString(16)}`
}

function readSid(bytes: Buffer): string {
  const parts = Array.from({ length: bytes.readUInt8(1) }, (_, i) => bytes.readUInt32LE(8 + i * 4))
  return ['S', bytes.readUInt8(), bytes.readUIntBE(2, 6), ...parts].join('-')
}
