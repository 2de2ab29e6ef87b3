// DOCX, XLSX and PPTX: ZIP archives whose list of entries is read and nothing else. Whatever a
// program that opens them could stumble on is refused: entries that lie over each other, more than
// any document unpacks to, secrets, macros, ways out of the folder, bytes that are no part of it.
import { type Inspector, refuseFile, Tail, ZIP_END } from './inspector.ts'

const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const LOCAL_HEAD = Buffer.from('PK\x03\x04', 'latin1')
const ENTRY_HEAD = 0x02014b50
/** Of the list of entries: that of a document with thousands of pictures. */
const MAX_LIST_BYTES = 1024 * 1024
const MAX_ENTRIES = 10_000
/** Of all entries together, as they say themselves. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x2041
const CONTENT_TYPES = '[Content_Types].xml'

type Entry = {
  readonly name: string
  readonly packed: number
  readonly unpacked: number
  readonly at: number
}

/** `main`: the entry that makes it this kind of document. */
export function inspectOffice(main: string): Inspector {
  const tail = new Tail(MAX_LIST_BYTES + END_BYTES)
  let head: Buffer = Buffer.alloc(0)
  return {
    add(chunk) {
      if (head.length < 4) head = Buffer.concat([head, chunk.subarray(0, 4)])
      tail.add(chunk)
    },
    end() {
      if (!head.subarray(0, 4).equals(LOCAL_HEAD))
        throw refuseFile('its content is not what its name says')
      const { entries, listAt } = readList(tail.bytes(), tail.total)
      checkEntries(entries, listAt)
      const names = new Set(entries.map(({ name }) => name))
      if (!names.has(main) || !names.has(CONTENT_TYPES))
        throw refuseFile('its content is not what its name says')
    },
  }
}

/** `last`: the last bytes of `total`. */
function readList(last: Buffer, total: number): { entries: Entry[]; listAt: number } {
  const endAt = last.length - END_BYTES
  // No comment: what stands behind the end is read by some programs and not by others.
  if (endAt < 0 || !last.subarray(endAt, endAt + 4).equals(ZIP_END)) throw broken()
  const disks = last.readUInt32LE(endAt + 4)
  const count = last.readUInt16LE(endAt + 10)
  const listBytes = last.readUInt32LE(endAt + 12)
  const listAt = last.readUInt32LE(endAt + 16)
  if (disks !== 0 || count !== last.readUInt16LE(endAt + 8)) throw broken()
  if (last.readUInt16LE(endAt + 20) !== 0 || listAt + listBytes + END_BYTES !== total)
    throw broken()
  if (count > MAX_ENTRIES || listBytes > MAX_LIST_BYTES) throw refuseFile('it has too many entries')
  const entries: Entry[] = []
  let at = endAt - listBytes
  if (at < 0) throw broken()
  for (let number = 0; number < count; number += 1) {
    if (at + ENTRY_BYTES > endAt || last.readUInt32LE(at) !== ENTRY_HEAD) throw broken()
    const flags = last.readUInt16LE(at + 8)
    const method = last.readUInt16LE(at + 10)
    const nameBytes = last.readUInt16LE(at + 28)
    const behind = last.readUInt16LE(at + 30) + last.readUInt16LE(at + 32)
    const end = at + ENTRY_BYTES + nameBytes + behind
    if (end > endAt || (method !== STORED && method !== DEFLATED)) throw broken()
    if ((flags & ENCRYPTED) !== 0) throw refuseFile('it is encrypted')
    entries.push({
      name: last.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      packed: last.readUInt32LE(at + 20),
      unpacked: last.readUInt32LE(at + 24),
      at: last.readUInt32LE(at + 42),
    })
    at = end
  }
  if (at !== endAt) throw broken()
  return { entries, listAt }
}

function checkEntries(entries: readonly Entry[], listAt: number): void {
  const seen = new Set<string>()
  let unpacked = 0
  let free = 0
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    // The first one begins the file, and none lies in another.
    if (entry.at < free || (free === 0 && entry.at !== 0)) throw broken()
    free = entry.at + LOCAL_BYTES + Buffer.byteLength(entry.name) + entry.packed
    unpacked += entry.unpacked
    const { name } = entry
    const folded = name.toLowerCase()
    if (seen.has(folded)) throw broken()
    seen.add(folded)
    const isWayOut = name.startsWith('/') || /[\\:\0]/.test(name) || /(^|\/)\.\.?(\/|$)/.test(name)
    if (name === '' || isWayOut) throw broken()
    if (/(^|\/)vbaproject\.bin$/.test(folded)) throw refuseFile('it has macros')
  }
  if (free > listAt) throw broken()
  if (unpacked > MAX_UNPACKED_BYTES) throw refuseFile('it unpacks to more than 512 MiB')
}

function broken() {
  return refuseFile('it is not whole, or not made as documents are')
}
