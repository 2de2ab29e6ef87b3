// Windows Event Logs (.evtx): their records in the order of the file, each an event in JSON. A file
// is a head of 4 KiB and chunks of 64 KiB, which each can be read alone. A record that cannot be
// read is an event that says so.
import { readEventXml } from './binary-xml.ts'
import { toEventJson } from './event-json.ts'

export const EVTX_MAGIC = [0x45, 0x6c, 0x66, 0x46, 0x69, 0x6c, 0x65, 0x00] as const
export const EVTX_HEAD_BYTES = 4096
export const EVTX_CHUNK_BYTES = 65_536
const CHUNK_MAGIC = 'ElfChnk\0'
const CHUNK_HEAD_BYTES = 512
const FREE_SPACE_AT = 48
const RECORD_MAGIC = 0x00_00_2a_2a
const RECORD_HEAD_BYTES = 24
const RECORD_END_BYTES = 4
/** Of all records of a chunk; those of Windows need less than a quarter. */
const CHUNK_BUDGET = 4 * 1024 * 1024

/** JSON of one chunk; [] for one that holds none yet. */
export function readChunk(chunk: Buffer): string[] {
  if (chunk.length < CHUNK_HEAD_BYTES || chunk.toString('latin1', 0, 8) !== CHUNK_MAGIC) return []
  const records: string[] = []
  const budget = { left: CHUNK_BUDGET }
  const end = Math.min(chunk.length, chunk.readUInt32LE(FREE_SPACE_AT))
  for (let at = CHUNK_HEAD_BYTES; at + RECORD_HEAD_BYTES <= end; ) {
    if (chunk.readUInt32LE(at) !== RECORD_MAGIC) break
    const size = chunk.readUInt32LE(at + 4)
    if (size < RECORD_HEAD_BYTES + RECORD_END_BYTES || at + size > end) break
    try {
      const [begin, behind] = [at + RECORD_HEAD_BYTES, at + size - RECORD_END_BYTES]
      const root = readEventXml(chunk, begin, behind, budget)
      records.push(JSON.stringify(toEventJson(root)))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const id = chunk.readBigUInt64LE(at + 8)
      records.push(JSON.stringify({ EventRecordID: String(id), fault: 'cannot be read' }))
    }
    at += size
  }
  return records
}
