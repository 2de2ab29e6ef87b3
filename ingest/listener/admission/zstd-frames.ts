// Where the frames of a zstd body end (RFC 8878, section 3.1), read from the block headers without
// decompressing. Node's decompressor (seen with 22.20) takes a cut frame for a whole one and stops
// after the first of several: both would lose events.

const FRAME_MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a50
const SKIPPABLE_MASK = 0xfffffff0
const BLOCK_HEADER_BYTES = 3
const RLE_BLOCK = 1
const RESERVED_BLOCK = 3
const CHECKSUM_BYTES = 4
const DICTIONARY_ID_BYTES = [0, 1, 2, 4]
const CONTENT_SIZE_BYTES = [0, 2, 4, 8]

/** Pairs start, end of the frames with content; undefined when the bytes are not whole frames, or
 *  more than `maxFrames`. */
export function findZstdFrames(
  bytes: Buffer,
  maxFrames: number,
): readonly (readonly [number, number])[] | undefined {
  const frames: [number, number][] = []
  let count = 0
  for (let at = 0; at < bytes.length; count += 1) {
    if (count === maxFrames || at + 8 > bytes.length) return undefined
    const magic = bytes.readUInt32LE(at)
    if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE_MAGIC) {
      at += 8 + bytes.readUInt32LE(at + 4)
      if (at > bytes.length) return undefined
      continue
    }
    const end = magic === FRAME_MAGIC ? frameEnd(bytes, at) : undefined
    if (end === undefined || end > bytes.length) return undefined
    frames.push([at, end])
    at = end
  }
  return frames
}

function frameEnd(bytes: Buffer, start: number): number | undefined {
  const descriptor = bytes[start + 4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  const hasChecksum = (descriptor & 0x04) !== 0
  const sizeCode = descriptor >> 6
  const contentSizeBytes =
    sizeCode === 0 && isSingleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeCode] ?? 0)
  const dictionaryBytes = DICTIONARY_ID_BYTES[descriptor & 3] ?? 0
  let at = start + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes
  for (;;) {
    if (at + BLOCK_HEADER_BYTES > bytes.length) return undefined
    const header = bytes.readUIntLE(at, BLOCK_HEADER_BYTES)
    const type = (header >> 1) & 3
    if (type === RESERVED_BLOCK) return undefined
    at += BLOCK_HEADER_BYTES + (type === RLE_BLOCK ? 1 : header >> 3)
    if ((header & 1) === 1) return hasChecksum ? at + CHECKSUM_BYTES : at
  }
}
