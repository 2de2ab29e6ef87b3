// What a LowCardinality(String) is in Native: the distinct values once, and for each row the index
// of its value (8, 16 or 32 bits).
import type { ByteBuffer } from '../../bytes/byte-buffer.ts'
import type { Uint32Column } from './fixed-column.ts'

/** Stands once before the data of a column, of a JSON variant. */
const STATE_PREFIX = 1
const HAS_KEYS = 512

export function writeLowCardinalityPrefix(out: ByteBuffer): void {
  out.writeUint64(STATE_PREFIX)
}

/** `keys`: varint length and bytes of each, in the order of their indexes. Nothing at all for no
 *  rows: so does the engine. */
export function writeLowCardinalityData(
  out: ByteBuffer,
  rows: Uint32Column,
  keys: ByteBuffer,
  keyCount: number,
): void {
  if (rows.length === 0) return
  const width = keyCount <= 256 ? 1 : keyCount <= 65_536 ? 2 : 4
  out.writeUint64(HAS_KEYS | (width >> 1))
  out.writeUint64(keyCount)
  out.writeBuffer(keys)
  out.writeUint64(rows.length)
  if (width === 4) rows.write(out)
  else if (width === 2) out.writeBytes(new Uint8Array(Uint16Array.from(rows.filled()).buffer))
  else out.writeBytes(Uint8Array.from(rows.filled()))
}
