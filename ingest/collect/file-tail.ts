// One file at its position: what comes next of it, and whether it is still the file that was read.
import { createHash } from 'node:crypto'
import type { CollectedFile } from '../../infra/metastore/collect/collected-files.ts'
import { type FileBytes, openFileBytes } from './file-bytes.ts'
import type { FileSource, FoundFile, OpenFile } from './sources/file-source.ts'
import { SNIFFED_BYTES, type TextForm, textFormOf } from './text-form.ts'

export const HEAD_BYTES = 1024
const TAIL_BYTES = 256
/** Of a file is kept what stands before 64, 128, 256, … bytes of it. */
export const LEAST_MARK = 64
const MARK_CHARACTERS = 12
const PIECE_BYTES = 512 * 1024
/** Of a file that has more than a piece to read: each is a flush of the database and one of the
 *  event log, whatever its bytes. */
const NEXT_PIECE_BYTES = 2 * 1024 * 1024

type NextBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly isEnd: boolean }
  /** What was read of it is not in it any more. */
  | { readonly kind: 'replaced' }
  /** Another file is at its path, once; it may have another name. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'binary' }

export type FileHead = { readonly bytes: Buffer; readonly marks: string }

export class FileTail {
  readonly file: CollectedFile
  readonly #source: Pick<FileSource, 'open'>
  #handle: OpenFile | undefined
  #bytes: FileBytes | undefined
  #form: TextForm | undefined
  #charSet: string | null | undefined
  /** What stands before the position. */
  #tail: Buffer = Buffer.alloc(0)
  #openedBytes = 0
  /** Bytes to read next: more than a piece where one line is longer. */
  #wanted = PIECE_BYTES
  /** Size and time of the last change when its end was met: until they change nothing comes. */
  #endOf: { readonly size: number; readonly changedMs: number } | undefined
  size = 0
  changedMs = 0
  /** On the steady clock, as all these: since when it can be looked for. */
  soughtMs: number
  /** When its size last changed. */
  grownMs: number
  /** When it may be tried again. */
  retryMs = 0
  isSeen = true
  /** Its path when it was last seen; since then it may have got one that is none of the log's. */
  seenAs: string
  /** Another file may stand at its path than the one that is open. */
  isStale = false
  /** It stood there when this was to be read. */
  #isMoved = false
  /** Bytes behind the position that are no whole event yet, and whether a line ends with them. */
  rest: { readonly isLineEnd: boolean } | undefined

  constructor(file: CollectedFile, nowMs: number, source: Pick<FileSource, 'open'>) {
    this.file = file
    this.soughtMs = nowMs
    this.seenAs = file.path
    this.#source = source
    this.grownMs = nowMs
  }

  get path(): string {
    return this.file.path
  }

  get isOpen(): boolean {
    return this.#handle !== undefined
  }

  get form(): TextForm | undefined {
    return this.#form
  }

  note(size: number, changedMs: number, nowMs: number): void {
    if (size !== this.size || changedMs !== this.changedMs) this.grownMs = nowMs
    this.size = size
    this.changedMs = changedMs
  }

  /** False: its end was met, and it has not changed since. */
  get mayHaveMore(): boolean {
    const end = this.#endOf
    return end === undefined || end.size !== this.size || end.changedMs !== this.changedMs
  }

  /** Fails with a SystemError, PackedFault. */
  async next(charSet: string | null): Promise<NextBytes> {
    const before = { size: this.size, changedMs: this.changedMs }
    if (this.isStale) await this.close()
    const isMoved = !(await this.#open())
    const wasMoved = this.#isMoved
    this.#isMoved = isMoved
    if (isMoved) return { kind: wasMoved ? 'replaced' : 'moved' }
    if (!(await this.#sniff(charSet))) return { kind: 'binary' }
    const read = await this.readAt(this.#wanted)
    if (read === undefined || !this.#isBegunWith(read.bytes)) return { kind: 'replaced' }
    this.#endOf = read.isEnd ? before : undefined
    return { kind: 'bytes', ...read }
  }

  /** From the position on; undefined: what stands before it is not what was read. */
  async readAt(length: number): Promise<{ bytes: Buffer; isEnd: boolean } | undefined> {
    const { position, tailBytes, tailHash } = this.file
    const source = await this.source()
    const { bytes, isEnd } = await source.read(position - tailBytes, tailBytes + length)
    if (bytes.length < tailBytes || hashOf(bytes.subarray(0, tailBytes)) !== tailHash)
      return undefined
    this.#tail = bytes.subarray(0, tailBytes)
    return { bytes: bytes.subarray(tailBytes), isEnd }
  }

  /** What is known of a file that nothing was read of yet: what was found may have been cut off
   *  since, and lies in a copy that goes before this. */
  #isBegunWith(bytes: Buffer): boolean {
    const { position, headBytes, headHash } = this.file
    if (position > 0 || headBytes === 0) return true
    return bytes.length >= headBytes && hashOf(bytes.subarray(0, headBytes)) === headHash
  }

  /** No event was whole in all that was read: the next look takes more. False: it is the most. */
  widen(mostBytes: number): boolean {
    if (this.#wanted >= mostBytes) return false
    this.#wanted = Math.min(mostBytes, this.#wanted * 3)
    return true
  }

  /** What stands at its path now is looked at. */
  async reopen(): Promise<void> {
    await this.close()
    this.lookAgain()
  }

  /** The next look is at what is there then. */
  lookAgain(): void {
    this.#endOf = undefined
  }

  /** Moves the position; `bytes` are those that were taken. */
  async advance(bytes: Buffer): Promise<void> {
    const { file } = this
    const to = file.position + bytes.length
    if (file.headBytes < HEAD_BYTES || file.position === 0)
      await this.#noteHead(bytes, Math.min(HEAD_BYTES, to))
    if (nextMark(file.marks) <= to)
      file.marks += newMarks(file.marks, Buffer.concat([this.#tail, bytes]), to)
    const tail = Buffer.concat([this.#tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
    file.tailBytes = tail.length
    file.tailHash = hashOf(tail)
    // Of its own: a part of what was read would keep all of that.
    this.#tail = Buffer.alloc(tail.length)
    tail.copy(this.#tail)
    file.position = to
    this.#wanted = this.#endOf === undefined ? NEXT_PIECE_BYTES : PIECE_BYTES
  }

  async #noteHead(bytes: Buffer, length: number): Promise<void> {
    const { file } = this
    let head: Buffer | undefined
    if (file.position === 0) {
      head = bytes.subarray(0, length)
      // They were of what stood there when it was found.
      file.marks = ''
    } else if (!file.isPacked) {
      const read = await this.source()
        .then((source) => source.read(0, length))
        .catch(() => undefined)
      head = read?.bytes
    }
    if (head === undefined || head.length < length) return
    // It may have been cut off and written anew since these bytes were read of it.
    const isSame =
      file.position === 0 ||
      (hashOf(head.subarray(0, file.headBytes)) === file.headHash &&
        head.subarray(file.position).equals(bytes.subarray(0, Math.max(0, length - file.position))))
    if (!isSame) return
    file.headHash = hashOf(head)
    file.headBytes = length
  }

  /** The bytes from 0, where they match what is known of a file: its begin and what stands before
   *  its position. */
  async hasRead(known: CollectedFile): Promise<boolean> {
    const source = await this.source()
    const { headBytes, headHash, tailBytes, tailHash, position } = known
    const head = await source.read(0, headBytes)
    if (head.bytes.length < headBytes || hashOf(head.bytes) !== headHash) return false
    const tail = await source.read(position - tailBytes, tailBytes)
    return tail.bytes.length === tailBytes && hashOf(tail.bytes) === tailHash
  }

  /** Its begin, and the marks in it. */
  async readHead(): Promise<FileHead> {
    const { bytes } = await (await this.source()).read(0, HEAD_BYTES)
    return { bytes, marks: newMarks('', bytes, bytes.length) }
  }

  /** What of it is known before anything is read: a copy of it may turn up first. */
  noteBegin({ bytes, marks }: FileHead): void {
    Object.assign(this.file, { headBytes: bytes.length, headHash: hashOf(bytes), marks })
  }

  /** It was read, and ends at `bytes`. */
  async noteRead(bytes: number): Promise<void> {
    const { file } = this
    const read = await (await this.source()).read(Math.max(0, bytes - TAIL_BYTES), TAIL_BYTES)
    const tail = read.bytes
    Object.assign(file, { position: bytes, tailBytes: tail.length, tailHash: hashOf(tail) })
  }

  /** At the last mark that lies in it stands what stood there in a known file. */
  async hasMarkOf(known: CollectedFile): Promise<boolean> {
    let at = LEAST_MARK
    while (at * 2 <= this.size) at *= 2
    const mark = markOf(known.marks, at)
    if (at > this.size || mark === undefined) return false
    const from = Math.max(0, at - TAIL_BYTES)
    const { bytes } = await (await this.source()).read(from, at - from)
    return bytes.length === at - from && shortHash(bytes) === mark
  }

  /** Both are as they lie there, and where the shorter one ends stands the same in both. */
  async agreesWith(other: FileTail): Promise<boolean> {
    const end = Math.min(await this.sizeNow(), await other.sizeNow())
    const from = Math.max(0, end - TAIL_BYTES)
    const ours = await (await this.source()).read(from, end - from)
    const theirs = await (await other.source()).read(from, end - from)
    return ours.bytes.equals(theirs.bytes)
  }

  /** As it is now, under its name or without one; of packed bytes, those that are packed. */
  async sizeNow(): Promise<number> {
    await this.source()
    return (await this.#handle?.look())?.size ?? 0
  }

  async source(): Promise<FileBytes> {
    if (!(await this.#open()) || this.#bytes === undefined)
      throw Object.assign(new Error('replaced'), { code: 'ENOENT' })
    return this.#bytes
  }

  /** undefined: it is no text. */
  async sniffed(charSet: string | null): Promise<TextForm | undefined> {
    return (await this.#sniff(charSet)) ? this.#form : undefined
  }

  /** For a file that has no name any more. */
  async look(nowMs: number): Promise<void> {
    if (this.#handle === undefined) return
    const { size, changedMs } = await this.#handle.look()
    this.note(size, changedMs, nowMs)
  }

  /** Sets the form; false: it is no text. */
  async #sniff(charSet: string | null): Promise<boolean> {
    if (this.#form !== undefined && this.#charSet === charSet) return true
    const head = await (await this.source()).read(0, SNIFFED_BYTES)
    this.#form = textFormOf(head.bytes, charSet)
    // What little there is may say no more than that it is text so far.
    this.#charSet = head.bytes.length < SNIFFED_BYTES ? undefined : charSet
    return this.#form !== undefined
  }

  /** False: another file is at its path now. */
  async #open(): Promise<boolean> {
    if (this.#handle !== undefined) {
      // Its first bytes may have come since.
      if (this.#openedBytes < SNIFFED_BYTES && this.file.position === 0)
        await this.#begin(this.#handle)
      return true
    }
    const handle = await this.#source.open(this.file.path)
    try {
      const { place } = await handle.look()
      if (place !== this.file.place) {
        await handle.close()
        return false
      }
      await this.#begin(handle)
      this.#handle = handle
      return true
    } catch (error) {
      await handle.close().catch(() => undefined)
      throw error
    }
  }

  async #begin(handle: OpenFile): Promise<void> {
    this.#openedBytes = (await handle.look()).size
    this.#bytes?.close()
    this.#bytes = await openFileBytes(handle)
    this.file.isPacked = this.#bytes.packing !== undefined
  }

  async close(): Promise<void> {
    this.isStale = false
    this.#bytes?.close()
    this.#bytes = undefined
    this.#form = undefined
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => undefined)
  }
}

/** Nothing of it is read. */
export function newFile(logId: number, { path, place, size }: FoundFile): CollectedFile {
  return {
    ...{ id: 0, logId, path, place, position: 0, headBytes: 0, headHash: '', isPacked: false },
    ...{ tailBytes: 0, tailHash: hashOf(new Uint8Array()), state: 'open', fault: '', size },
    ...{ marks: '', pending: undefined, events: 0, changedMs: 0 },
  }
}

/** That at `at`, which is LEAST_MARK or some doubling of it. */
export function markOf(marks: string, at: number): string | undefined {
  const from = Math.log2(at / LEAST_MARK) * MARK_CHARACTERS
  return marks.length < from + MARK_CHARACTERS
    ? undefined
    : marks.slice(from, from + MARK_CHARACTERS)
}

/** Those up to `to` that are missing, as long as none before them is; `bytes` are those before
 *  `to`. */
function newMarks(marks: string, bytes: Buffer, to: number): string {
  let added = ''
  const from = to - bytes.length
  for (let at = nextMark(marks); at <= to; at *= 2) {
    const begin = Math.max(0, at - TAIL_BYTES) - from
    if (begin < 0) break
    added += shortHash(bytes.subarray(begin, at - from))
  }
  return added
}

function nextMark(marks: string): number {
  return LEAST_MARK * 2 ** (marks.length / MARK_CHARACTERS)
}

function shortHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, MARK_CHARACTERS)
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
