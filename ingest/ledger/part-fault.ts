// Finds the one small file of a part because of which the engine refuses it, if that file can be
// made anew.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type BrokenPart = {
  readonly directory: string
  readonly partitionId: string
  /** What columns.txt has to be. */
  readonly columns: string
  /** What the counters miss of its partition; undefined: not known. */
  readonly rows: number | undefined
  /** What the engine says to the part as it is. */
  explain(): Promise<string>
}

/** `content` undefined: the engine makes it. */
export type PartFault = { readonly file: string; readonly content: Buffer | string | undefined }

const CHECKSUMS_HEAD = 'checksums format version: 4\n'
/** Hash, method, sizes of the one compressed block. */
const HASH_BYTES = 16
const METHODS: ReadonlySet<number> = new Set([0x02, 0x82, 0x90])

/** undefined: none of them, or more than one. */
export async function findFault(part: BrokenPart): Promise<PartFault | undefined> {
  const read = (name: string) => readOrNothing(join(part.directory, name))
  const faults: PartFault[] = []
  if (read('columns.txt')?.toString() !== part.columns)
    faults.push({ file: 'columns.txt', content: part.columns })
  const count = read('count.txt')?.toString()
  if (part.rows !== undefined && (count === undefined || !/^\d{1,18}$/.test(count)))
    faults.push({ file: 'count.txt', content: String(part.rows) })
  const place = partitionFile(part.partitionId)
  if (place !== undefined && read('partition.dat')?.equals(place) !== true)
    faults.push({ file: 'partition.dat', content: place })
  const checksums = read('checksums.txt')
  const blockBytes = checksums === undefined ? undefined : blockBytesOf(checksums)
  if (blockBytes === undefined) faults.push({ file: 'checksums.txt', content: undefined })
  if (faults.length > 0) return faults.length === 1 ? faults[0] : undefined
  const text = await part.explain()
  // Its own hash says so; of other files the engine names the file.
  const isOwn =
    text.includes(`Size of compressed block: ${blockBytes}`) &&
    !text.includes('While reading or decompressing')
  return isOwn ? { file: 'checksums.txt', content: undefined } : undefined
}

/** undefined: it is not what the engine writes. */
function blockBytesOf(file: Buffer): number | undefined {
  if (!file.toString('latin1').startsWith(CHECKSUMS_HEAD)) return undefined
  const block = file.subarray(CHECKSUMS_HEAD.length + HASH_BYTES)
  if (block.length < 9 || !METHODS.has(block.readUInt8(0))) return undefined
  return block.readUInt32LE(1) === block.length ? block.length : undefined
}

/** The bytes for a unit: the policy, and the day as a number. */
function partitionFile(partitionId: string): Buffer | undefined {
  const [, policy, date] = /^(\d+)-(\d{8})$/.exec(partitionId) ?? []
  if (policy === undefined || date === undefined) return undefined
  const bytes = Buffer.alloc(6)
  bytes.writeUInt16LE(Number(policy), 0)
  bytes.writeUInt32LE(Number(date), 2)
  return bytes
}

function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
