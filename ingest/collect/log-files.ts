// The files of one log: which of those that are there were read before, under whatever name, and
// which are new. A file is known by device and inode, and by what was read of it: its begin and
// what stands before its position. So a rename reads nothing twice, and of a copy (copy-truncate,
// gzip) only what was not read of the original.

import { dirname } from 'node:path'
import type { DatabaseTransaction } from '../../infra/database/port.ts'
import {
  type CollectedFile,
  type FileState,
  readFiles,
} from '../../infra/metastore/collect/collected-files.ts'
import { FileTail, hashOf } from './file-tail.ts'
import { describeFault, type Found, type FoundFile, MAX_FILES } from './find-files.ts'
import { PackedFault } from './packing.ts'
import type { PathPattern } from './path-pattern.ts'
import type { FileSource } from './sources/file-source.ts'

/** A file that may be the copy of one that is still whole may be a rotation under way: it is
 *  looked at when it has not changed for so long. */
const COPY_MS = 5000
/** A packed file is read when it has not changed for so long. */
const PACKED_MS = 1000
/** A file without a name is left when nothing came for so long. */
const GONE_MS = 30_000
const MOST_SETTLING_MS = 5000
/** What is known of a file that is gone. */
const FORGET_MS = 7 * 86_400_000

/** Files that begin alike in less may be different ones. */
const LEAST_HEAD_BYTES = 32
/** Of one log: files are opened again when they change. */
const MOST_OPEN = 200
const IDLE_MS = 10_000
const GONE = 'gone'
const NOTHING_HASH = hashOf(new Uint8Array())

type HeadIndex = ReadonlyMap<number, ReadonlyMap<string, readonly CollectedFile[]>>
type Waiting = {
  readonly size: number
  readonly changedMs: number
  readonly sinceMs: number
  readonly firstMs: number
}

type Deps = {
  readonly logId: number
  readonly source: FileSource
  readonly nowMs: () => number
  /** The steady clock. */
  readonly elapsedMs: () => number
  readonly takeId: () => Promise<number>
  /** Whole paths of files and directories that are never read: the product's own, and devices. */
  readonly closed: readonly string[]
}

export class LogFiles {
  readonly #deps: Deps
  /** By place. */
  readonly #tails = new Map<string, FileTail>()
  /** Read, skipped or gone: for the begin of files to come. */
  readonly #past = new Map<number, CollectedFile>()
  /** Files that are not begun yet, by place. */
  readonly #waiting = new Map<string, Waiting>()
  /** Of one scan. */
  #index: HeadIndex | undefined
  #replaced: FileTail[] = []
  /** To be saved. */
  readonly changed = new Set<CollectedFile>()
  readonly forgotten: number[] = []
  faults: readonly string[] = []
  /** A packed file was found a moment ago: nothing is read until it has settled. */
  isSettling = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get tails(): readonly FileTail[] {
    return [...this.#tails.values()]
  }

  async load(db: Pick<DatabaseTransaction, 'selectFrom'>): Promise<void> {
    for (const file of await readFiles(db, this.#deps.logId)) {
      if (file.state === 'done') this.#past.set(file.id, file)
      else
        this.#tails.set(file.place, new FileTail(file, this.#deps.elapsedMs(), this.#deps.source))
    }
  }

  /** What is there now. */
  async scan(patterns: readonly PathPattern[]): Promise<void> {
    const found = await this.#deps.source.find(patterns)
    const faults = [...found.faults]
    for (const tail of this.#tails.values()) tail.isSeen = false
    const strange: FoundFile[] = []
    for (const file of found.files) {
      if (!this.#recognize(file)) strange.push(file)
    }
    if (this.#deps.source.identity === 'path' && strange.length > 0)
      for (const tail of this.tails) await tail.reopen()
    for (const tail of this.#replaced.splice(0)) await this.end(tail, 'done')
    this.#index = undefined
    this.isSettling = false
    for (const file of strange) {
      try {
        await this.#begin(file, found)
      } catch (error) {
        if (!isGone(error))
          faults.push(
            error instanceof PackedFault
              ? `${file.path}: ${error.message}`
              : describeFault(file.path, error),
          )
      }
    }
    for (const tail of this.tails) if (!tail.isSeen) await this.#lookForLost(tail)
    this.#order(found)
    this.#forget()
    await this.#closeIdle()
    this.faults = faults
  }

  /** The bytes of a piece that may have been cut off on its way; they may lie in a copy by now.
   *  'gone': nowhere. Fails with a SystemError where nobody can say. */
  async findPending(
    { file }: FileTail,
    patterns: readonly PathPattern[],
  ): Promise<{ readonly tail: FileTail; readonly bytes: Buffer } | 'gone'> {
    const { pending } = file
    if (pending === undefined) return 'gone'
    const length = pending.to - file.position
    const { source } = this.#deps
    const path = await source.findPlace(dirname(file.path), file.place)
    const others = (await source.find(patterns)).files
    const places = path === undefined ? others : [{ path, place: file.place }, ...others]
    for (const place of places) {
      const tail = new FileTail({ ...file, path: place.path, place: place.place }, 0, source)
      try {
        const read = await tail.readAt(length)
        if (read !== undefined && hashOf(read.bytes) === pending.hash)
          return { tail, bytes: read.bytes }
      } catch (error) {
        if (place.place === file.place && !isGone(error) && !(error instanceof PackedFault))
          throw error
      }
      await tail.close()
    }
    return 'gone'
  }

  async end(tail: FileTail, state: Exclude<FileState, 'open'>, fault = ''): Promise<void> {
    await tail.close()
    tail.file.state = state
    tail.file.fault = fault
    this.changed.add(tail.file)
    if (state === 'skipped') return
    this.#tails.delete(tail.file.place)
    this.#past.set(tail.file.id, tail.file)
  }

  async close(): Promise<void> {
    for (const tail of this.#tails.values()) await tail.close()
  }

  #recognize(found: FoundFile): boolean {
    const tail = this.#tails.get(found.place)
    if (tail === undefined) return false
    const { file } = tail
    const isShorter = found.size < file.position && !file.isPacked
    if (file.state === 'open' && isShorter && file.pending === undefined) {
      // Cut off: what comes is new.
      this.#replaced.push(tail)
      return false
    }
    if (file.path !== found.path) {
      file.path = found.path
      this.changed.add(file)
    }
    tail.isSeen = true
    tail.note(found.size, found.changedMs, this.#deps.elapsedMs())
    tail.isStale ||= this.#deps.source.identity === 'path' && tail.mayHaveMore
    file.size = found.size
    return true
  }

  /** A file that is not known by its place. */
  async #begin(found: FoundFile, all: Found): Promise<void> {
    if (found.size === 0) return
    const { elapsedMs, takeId, closed, source } = this.#deps
    const real = await source.realPath(found.path)
    if (closed.some((path) => real === path || real.startsWith(`${path}/`)))
      throw new PackedFault('is not read: it lies among files of the product or of the system')
    const file = newFile(this.#deps.logId, found)
    const tail = new FileTail(file, elapsedMs(), source)
    tail.note(found.size, found.changedMs, elapsedMs())
    try {
      if (!(await this.#settle(tail, found, all))) return await tail.close()
      file.id = await takeId()
      this.#waiting.delete(found.place)
      this.#tails.set(found.place, tail)
      this.changed.add(file)
      if (this.tails.filter(({ isOpen }) => isOpen).length > MOST_OPEN) await tail.close()
    } catch (error) {
      await tail.close()
      throw error
    }
  }

  /** Where its reading begins; false: that cannot be said yet. */
  async #settle(tail: FileTail, found: FoundFile, all: Found): Promise<boolean> {
    const source = await tail.source()
    const isPacked = source.packing !== undefined
    const ageMs = this.#ageOf(found)
    if (isPacked && ageMs < PACKED_MS) {
      // Its lines may go before those of files that are newer.
      this.isSettling ||= this.#sinceFirst(found) < MOST_SETTLING_MS
      return false
    }
    const original = await this.#findOriginal(tail)
    if (original === undefined) return true
    if (original === 'partly') return ageMs >= COPY_MS
    const whole = await this.#wholeSize(original, all)
    if (whole === undefined || (isPacked && whole <= original.position)) {
      takeOver(tail.file, original)
      // What is left is read of one of the two.
      const left = this.#tails.get(original.place)
      if (left?.file === original) await this.end(left, 'done', GONE)
      return true
    }
    // A copy of a file that goes on is a file of its own; of one that is being packed or cut off
    // only what was not read.
    return !isPacked && ageMs >= COPY_MS
  }

  /** How long it has been seen unchanged: by our clock, whatever its own times say. */
  #ageOf({ place, size, changedMs }: FoundFile): number {
    const nowMs = this.#deps.elapsedMs()
    const seen = this.#waiting.get(place)
    if (seen !== undefined && seen.size === size && seen.changedMs === changedMs)
      return nowMs - seen.sinceMs
    const firstMs = seen?.firstMs ?? nowMs
    this.#waiting.set(place, { size, changedMs, sinceMs: nowMs, firstMs })
    return 0
  }

  #sinceFirst({ place }: FoundFile): number {
    const nowMs = this.#deps.elapsedMs()
    return nowMs - (this.#waiting.get(place)?.firstMs ?? nowMs)
  }

  /** The file that this one was copied or packed from; 'partly': it may become one. */
  async #findOriginal(tail: FileTail): Promise<CollectedFile | 'partly' | undefined> {
    const { source } = this.#deps
    if (source.identity === 'content')
      for (const file of this.#past.values()) if (file.place === tail.file.place) return file
    this.#index ??= makeIndex(this.#past.values(), this.#tails.values())
    let isPartly = false
    for (const [length, byHash] of this.#index) {
      const hash = await tail.headHash(length)
      const same = hash === undefined ? [] : (byHash.get(hash) ?? [])
      for (const file of same) {
        // What stood in the file itself before it was cut off is no original of what stands there.
        if (file.place === tail.file.place && file.fault !== GONE) continue
        if (!source.mayGoOn(tail.file.place, file.place)) continue
        if (await tail.hasRead(file)) return file
        if (!tail.file.isPacked && tail.size < file.position) isPartly = true
      }
    }
    return isPartly ? 'partly' : undefined
  }

  /** Its size where it is still there as it was read. */
  async #wholeSize(original: CollectedFile, { files }: Found): Promise<number | undefined> {
    const tail = this.#tails.get(original.place)
    if (tail?.file !== original || tail.file.isPacked) return undefined
    if (this.#deps.source.identity === 'path') {
      await tail.reopen()
      if (!(await tail.hasRead(original))) return undefined
    }
    const found = files.find(({ place }) => place === original.place)
    return found !== undefined && found.size >= original.position ? found.size : undefined
  }

  /** It has no name among those of the log: another one in its directory, or none at all. */
  async #lookForLost(tail: FileTail): Promise<void> {
    const { file } = tail
    const { source } = this.#deps
    const nowMs = this.#deps.elapsedMs()
    if (file.state === 'skipped') return await this.end(tail, 'done', GONE)
    if (!tail.isOpen) {
      const path = await source.findPlace(dirname(file.path), file.place)
      if (path === undefined) {
        if (file.pending === undefined) await this.end(tail, 'done', GONE)
        return
      }
      file.path = path
    }
    try {
      if (tail.isOpen) await tail.look(nowMs)
      else {
        const { size, changedMs } = await source.stat(file.path)
        tail.note(size, changedMs, nowMs)
      }
    } catch {
      return
    }
    if (file.pending !== undefined) return
    if (!file.isPacked && tail.size < file.position) return await this.end(tail, 'done', GONE)
    if (!tail.mayHaveMore && nowMs - tail.grownMs > GONE_MS) await this.end(tail, 'done', GONE)
  }

  /** The longest unchanged first: the remainder of a file that was rotated goes before the next. */
  #order({ files }: Found): void {
    const lost = this.tails.filter(({ isSeen }) => !isSeen)
    const seen = files.flatMap(({ place }) => this.#tails.get(place) ?? [])
    const ordered = [...new Set([...lost, ...seen, ...this.#tails.values()])]
    this.#tails.clear()
    for (const tail of ordered) this.#tails.set(tail.file.place, tail)
  }

  async #closeIdle(): Promise<void> {
    const nowMs = this.#deps.elapsedMs()
    const open = this.tails.filter(({ isOpen, isSeen }) => isOpen && isSeen)
    for (const tail of open) {
      const isIdle = !tail.mayHaveMore && nowMs - tail.grownMs > IDLE_MS
      if (isIdle && open.length > MOST_OPEN / 2) await tail.close()
    }
    const seen = new Set(this.#waiting.keys())
    for (const place of seen)
      if (this.#tails.has(place) || this.#waiting.size > MAX_FILES) this.#waiting.delete(place)
  }

  #forget(): void {
    const before = this.#deps.nowMs() - FORGET_MS
    for (const file of this.#past.values()) {
      if (file.changedMs === 0 || file.changedMs > before) continue
      this.#past.delete(file.id)
      this.forgotten.push(file.id)
    }
  }
}

function newFile(logId: number, { path, place, size }: FoundFile): CollectedFile {
  return {
    ...{ id: 0, logId, path, place, position: 0, headBytes: 0, headHash: '', isPacked: false },
    ...{ tailBytes: 0, tailHash: NOTHING_HASH, state: 'open', fault: '', size },
    ...{ pending: undefined, events: 0, changedMs: 0 },
  }
}

function takeOver(file: CollectedFile, original: CollectedFile): void {
  const { position, headBytes, headHash, tailBytes, tailHash } = original
  Object.assign(file, { position, headBytes, headHash, tailBytes, tailHash })
}

/** By length and hash of the begin, the longest first, and those that were read furthest. */
function makeIndex(past: Iterable<CollectedFile>, tails: Iterable<FileTail>): HeadIndex {
  const index = new Map<number, Map<string, CollectedFile[]>>()
  const known = [...past, ...[...tails].map(({ file }) => file)]
  known.sort((a, b) => b.headBytes - a.headBytes || b.position - a.position)
  for (const file of known) {
    if (file.headBytes < LEAST_HEAD_BYTES) continue
    const byHash = index.get(file.headBytes) ?? new Map<string, CollectedFile[]>()
    index.set(file.headBytes, byHash)
    const same = byHash.get(file.headHash) ?? []
    byHash.set(file.headHash, same)
    same.push(file)
  }
  return index
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
