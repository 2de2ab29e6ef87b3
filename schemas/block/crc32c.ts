// CRC-32C (Castagnoli), the checksum of a block and of a Kafka batch, over pieces one after the
// other. Eight bytes a step through eight tables, read as words: 0.6 ms of CPU a MiB, a quarter of
// a byte a step. Node itself has the other polynomial only.

const POLYNOMIAL = 0x82f63b78
const TABLE = 256
const TABLES = makeTables()
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** Checksum of all pieces together. */
export function crc32c(pieces: readonly Uint8Array[]): number {
  let crc = -1
  for (const piece of pieces) crc = update(crc, piece)
  return ~crc >>> 0
}

function update(before: number, bytes: Uint8Array): number {
  const { length, buffer, byteOffset } = bytes
  // Words begin at multiples of four.
  const ahead = Math.min(length, -byteOffset & 3)
  const words = IS_LITTLE_ENDIAN ? ((length - ahead) >> 3) << 1 : 0
  if (words === 0) return updateBytes(before, bytes, 0, length)
  const crc = updateBytes(before, bytes, 0, ahead)
  const updated = updateWords(crc, new Int32Array(buffer, byteOffset + ahead, words))
  return updateBytes(updated, bytes, ahead + 4 * words, length)
}

function updateBytes(before: number, bytes: Uint8Array, from: number, to: number): number {
  let crc = before
  for (let at = from; at < to; at += 1) crc = look(0, crc ^ (bytes[at] ?? 0)) ^ (crc >>> 8)
  return crc
}

/** An even count of words. */
function updateWords(before: number, words: Int32Array): number {
  let crc = before
  for (let at = 0; at < words.length; at += 2) {
    const low = crc ^ (words[at] ?? 0)
    const high = words[at + 1] ?? 0
    crc =
      look(7, low) ^
      look(6, low >>> 8) ^
      look(5, low >>> 16) ^
      look(4, low >>> 24) ^
      look(3, high) ^
      look(2, high >>> 8) ^
      look(1, high >>> 16) ^
      look(0, high >>> 24)
  }
  return crc
}

function look(table: number, byte: number): number {
  return TABLES[table * TABLE + (byte & 255)] ?? 0
}

/** Table n: what a byte does to the sum n bytes later. */
function makeTables(): Int32Array {
  const tables = new Int32Array(8 * TABLE)
  for (let byte = 0; byte < TABLE; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    tables[byte] = crc
  }
  for (let at = TABLE; at < tables.length; at += 1) {
    const crc = tables[at - TABLE] ?? 0
    tables[at] = (crc >>> 8) ^ (tables[crc & 255] ?? 0)
  }
  return tables
}
