// The files of one log: which of those that are there were read before, under whatever name, and
// which are new. A file is known by device and inode, and by its begin and what stands before its
// position: a rename reads nothing twice, and of a copy only what was not read of the original.
import { dirname } from 'node:path'
import type { DatabaseTransaction } from '../../infra/database/port.ts'
import {
  type CollectedFile,
  type FileState,
  readFiles,
} from '../../infra/metastore/collect/collected-files.ts'
import { RemoteFault } from '../../infra/outbound/remote-fault.ts'
import { isFailure } from '../../schemas/failures.ts'
import { FileTail, HEAD_BYTES } from './file-tail.ts'
import { byAge, describeFault, haveMoved, isGone } from './find-files.ts'
import { type OpenedFile, openAhead } from './open-ahead.ts'
import { GONE, Originals } from './originals.ts'
import type { PathPattern } from './path-pattern.ts'
import type { FileSource, FoundFile } from './sources/file-source.ts'
import { WaitingFiles } from './waiting-files.ts'

/** A file that may be the copy of one that is still whole may be a rotation under way: it is
 *  looked at when it has not changed for so long. */
const COPY_MS = 5000
/** A packed file is read when it has not changed for so long. */
const PACKED_MS = 1000
/** A file without a name is left when nothing came for so long. */
const GONE_MS = 30_000
const MOST_SETTLING_MS = 5000
/** Where names come and go all the time, reading goes on. */
const MOST_GONE_LOOKS = 5
/** What is known of a file that is gone. */
const FORGET_MS = 7 * 86_400_000

/** Of one log: files are opened again when they change. */
const MOST_OPEN = 200
const IDLE_MS = 10_000

type Deps = {
  readonly logId: number
  readonly source: FileSource
  readonly nowMs: () => number
  /** The steady clock. */
  readonly elapsedMs: () => number
  readonly takeId: () => Promise<number>
}

export class LogFiles {
  readonly #deps: Deps
  /** By place. */
  readonly #tails = new Map<string, FileTail>()
  /** Read, skipped or gone: for the begin of files to come. */
  readonly #past = new Map<number, CollectedFile>()
  readonly #waiting: WaitingFiles
  /** Of one scan. */
  #originals: Originals | undefined
  #replaced: FileTail[] = []
  /** Places that are there and were left for a copy: another file stands there. */
  #left: string[] = []
  /** In a row, in which a file was gone before it was begun; as of the look before. */
  #goneLooks = 0
  #goneBefore = 0
  /** At least so many are open in this scan. */
  #open = 0
  /** To be saved. */
  readonly changed = new Set<CollectedFile>()
  readonly forgotten: number[] = []
  faults: readonly string[] = []
  /** Nothing is read until the next look: a packed file was found a moment ago, or a file was gone
   *  when it was to be read. */
  isSettling = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#waiting = new WaitingFiles(deps.elapsedMs)
  }

  get tails(): FileTail[] {
    return [...this.#tails.values()]
  }

  async load(db: Pick<DatabaseTransaction, 'selectFrom'>): Promise<void> {
    for (const file of await readFiles(db, this.#deps.logId)) {
      if (file.state === 'done') this.#past.set(file.id, file)
      else
        this.#tails.set(file.place, new FileTail(file, this.#deps.elapsedMs(), this.#deps.source))
    }
  }

  /** What is there now. Fails with RemoteFault, and with what the database says: then nothing is
   *  read. */
  async scan(patterns: readonly PathPattern[]): Promise<void> {
    const found = await this.#deps.source.find(patterns)
    const faults = [...found.faults]
    for (const tail of this.#tails.values()) tail.isSeen = false
    const strange: FoundFile[] = []
    for (const file of found.files) if (!this.#recognize(file)) strange.push(file)
    if (this.#deps.source.identity === 'path' && strange.length > 0)
      for (const tail of this.tails) await tail.reopen()
    for (const tail of this.#replaced.splice(0)) await this.end(tail, 'done')
    this.#originals = undefined
    this.isSettling = false
    this.#open = this.tails.filter(({ isOpen }) => isOpen).length
    faults.push(...(await this.#beginAll(strange, found.files)))
    const isBegun = strange.some(({ place }) => this.#tails.has(place))
    if (isBegun) await this.#lookTwice(found.files, patterns)
    if (this.#goneLooks === this.#goneBefore) this.#goneLooks = 0
    this.#goneBefore = this.#goneLooks
    for (const tail of this.tails)
      if (tail.isSeen) await this.#noteBegin(tail)
      else await this.#lookForLost(tail)
    this.#order()
    this.#forget()
    await this.#closeIdle()
    this.faults = faults
  }

  /** One after another; `strange` grows. What is wrong with single files. */
  async #beginAll(strange: FoundFile[], all: readonly FoundFile[]): Promise<string[]> {
    const faults: string[] = []
    const opened = openAhead(strange, this.#deps)
    try {
      for (const [number, file] of strange.entries()) {
        try {
          const it = await opened.at(number)
          if (it !== undefined) await this.#begin(file, it)
        } catch (error) {
          // Of the database: no file is to blame, and what is newer does not go before it.
          if (isFailure(error)) throw error
          if (error instanceof RemoteFault) this.noteAway()
          if (isGone(error)) this.#noteGone()
          else faults.push(describeFault(file.path, error))
        }
        // In this scan still: it goes before what is newer.
        for (const place of this.#left.splice(0))
          strange.push(...all.filter((it) => it.place === place))
      }
    } finally {
      await opened.close()
    }
    return faults
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
    tail.seenAs = found.path
    tail.note(found.size, found.changedMs, this.#deps.elapsedMs())
    tail.isStale ||= this.#deps.source.identity === 'path' && tail.mayHaveMore
    file.size = found.size
    return true
  }

  /** A file that is not known by its place. */
  async #begin(found: FoundFile, opened: OpenedFile): Promise<void> {
    const { tail } = opened
    try {
      const decided = await this.#settle(opened, found)
      if (decided === 'wait') return await tail.close()
      this.#waiting.forget(found.place)
      if (decided !== 'new') return await this.#move(decided, tail)
      tail.file.id = await this.#deps.takeId()
      this.#take(tail)
      this.#open += 1
      if (this.#open > MOST_OPEN) await tail.close()
    } catch (error) {
      await tail.close()
      throw error
    }
  }

  /** What came since of one that is not read yet. */
  async #noteBegin(tail: FileTail): Promise<void> {
    const { position, headBytes, isPacked, size, pending } = tail.file
    if (position > 0 || pending !== undefined || isPacked) return
    if (headBytes >= Math.min(size, HEAD_BYTES)) return
    try {
      if (tail.isStale) await tail.reopen()
      tail.noteBegin(await tail.readHead())
      this.changed.add(tail.file)
    } catch {
      // Its reading says why.
    }
  }

  /** Paths are listed one after the other, and opened later still: a file that was renamed
   *  meanwhile may be in none of those that were found, and goes before what stands there now. */
  async #lookTwice(found: readonly FoundFile[], patterns: readonly PathPattern[]) {
    if (this.#deps.source.identity !== 'path') return
    const { isSettling } = this
    // Also where nobody answers any more.
    this.isSettling = true
    const again = await this.#deps.source.find(patterns)
    this.isSettling = isSettling
    if (haveMoved(found, again.files)) this.#noteGone()
  }

  /** A connection broke over a file. True: what is newer waits for the next look. Not objects of a
   *  bucket, which have no order. */
  noteAway(): boolean {
    if (this.#deps.source.identity === 'path') this.#noteGone()
    return this.isSettling
  }

  /** It was renamed since it was listed, or cannot be reached: it is begun by the next look, before
   *  what is newer. */
  #noteGone(): void {
    this.#goneLooks += 1
    this.isSettling ||= this.#goneLooks <= MOST_GONE_LOOKS
  }

  #take(tail: FileTail): void {
    this.#tails.set(tail.file.place, tail)
    this.changed.add(tail.file)
  }

  /** Of what was known under another place, the copy goes on: one file, so that nothing is read of
   *  both. */
  async #move(original: CollectedFile, copy: FileTail): Promise<void> {
    const { place, path, size, isPacked } = copy.file
    const left = this.#tails.get(original.place)
    if (left?.file === original) {
      await left.close()
      this.#tails.delete(original.place)
      if (left.isSeen) this.#left.push(original.place)
    }
    this.#past.delete(original.id)
    await copy.close()
    Object.assign(original, { place, path, size, isPacked, state: 'open', fault: '' })
    const tail = new FileTail(original, this.#deps.elapsedMs(), this.#deps.source)
    tail.note(copy.size, copy.changedMs, this.#deps.elapsedMs())
    this.#take(tail)
  }

  /** Whether it is read on as one that is known, or as a new one, from a position that is set. */
  async #settle(opened: OpenedFile, found: FoundFile): Promise<CollectedFile | 'new' | 'wait'> {
    const { tail } = opened
    const { isPacked } = tail.file
    const ageMs = this.#waiting.ageOf(found)
    if (isPacked && ageMs < PACKED_MS) {
      // Its lines may go before those of files that are newer.
      this.isSettling ||= this.#waiting.sinceFirst(found) < MOST_SETTLING_MS
      return 'wait'
    }
    const { source } = this.#deps
    if (source.identity === 'content')
      for (const file of this.#past.values()) if (file.place === found.place) return file
    this.#originals ??= new Originals(
      [...this.#past.values(), ...this.tails.map(({ file }) => file)],
      source.mayGoOn,
    )
    const head = opened.head ?? (await tail.readHead())
    const likeness = await this.#originals.of(tail, head, isPacked)
    tail.noteBegin(head)
    if (likeness === undefined) return 'new'
    const { kind, file: original } = likeness
    // What was begun of it is sent again first.
    if (original.pending !== undefined) return 'wait'
    const whole = await this.#findWhole(original)
    if (isPacked) {
      if (whole === undefined) return original
      if (original.isPacked || (await whole.sizeNow()) > original.position) return 'wait'
      const { position, tailBytes, tailHash } = original
      Object.assign(tail.file, { position, tailBytes, tailHash })
      return 'new'
    }
    if (whole !== undefined && !original.isPacked) {
      if (!(await tail.agreesWith(whole))) return 'new'
      // A copy of a file that goes on is a file of its own.
      if (whole.isSeen) return ageMs >= COPY_MS ? 'new' : 'wait'
    }
    if (kind === 'copy') return original
    // An object that is shorter than what was read at its key is no copy of that.
    if (original.fault === GONE || source.identity === 'content') return 'new'
    // It was still being copied when it was listed.
    if ((await tail.sizeNow()) !== found.size) return 'wait'
    // What follows it was read of the original before that was cut off.
    await tail.noteRead(found.size)
    return 'new'
  }

  /** Where it still stands as it was read, under a name or open without one. */
  async #findWhole(original: CollectedFile): Promise<FileTail | undefined> {
    const { identity } = this.#deps.source
    const tail = this.#tails.get(original.place)
    // Of a key there is one object at a time.
    if (tail?.file !== original || identity === 'content') return undefined
    try {
      const isSurely = original.isPacked && identity === 'file'
      if (isSurely) await tail.sizeNow()
      return isSurely || (await tail.hasRead(original)) ? tail : undefined
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
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

  /** The longest unchanged first: the remainder of a file that was rotated goes before the next.
   *  What has no name of the log any more goes before what has its name now. */
  #order(): void {
    const aged = ({ changedMs, seenAs }: FileTail) => ({ changedMs, path: seenAs })
    const ordered = this.tails.sort(
      (a, b) => byAge(aged(a), aged(b)) || Number(a.isSeen) - Number(b.isSeen),
    )
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
    this.#waiting.drop((place) => this.#tails.has(place))
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
