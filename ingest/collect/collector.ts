// The collector: reads the files of all logs that name some, and brings their events into the event
// log. One loop, in the one process that holds the lease; nobody else changes its state. A round is
// a look at the files, pieces of them, a note of what is sent (durable), the append, and the moved
// positions, which become durable with the next note or at once when nothing follows
// (docs/decisions/0094).
import type { Clock } from '../../infra/clock.ts'
import type { Fence } from '../../infra/database/lease.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { PathRules } from '../../infra/files/path-rules.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { saveCollectFaults } from '../../infra/metastore/collect/collect-faults.ts'
import { readSource, takeSourceVersion } from '../../infra/metastore/collect/collect-sources.ts'
import {
  forgetFiles,
  saveFiles,
  takeFileIds,
} from '../../infra/metastore/collect/collected-files.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { newestTemplateNumber } from '../../infra/metastore/templates/template-versions.ts'
import type { LogRecord } from '../../infra/metastore/tree/port.ts'
import { RemoteFault } from '../../infra/outbound/remote-fault.ts'
import { isFailure } from '../../schemas/failures.ts'
import { partitionOf } from '../listener/commit/partition.ts'
import type { Masks } from '../listener/masking/mask-request.ts'
import { cutPiece, type KeepsEvent } from './cut-piece.ts'
import { type FileTail, hashOf } from './file-tail.ts'
import { describeFault } from './find-files.ts'
import { findPending } from './find-pending.ts'
import { LogFiles } from './log-files.ts'
import {
  faultsOf,
  type LogWork,
  type Piece,
  readPatterns,
  sourceOfLog,
  takePiece,
} from './log-work.ts'
import { Sender } from './sender.ts'
import type { FileSource } from './sources/file-source.ts'
import { LOCAL_FILES } from './sources/local-files.ts'
import { guarded } from './sources/path-guard.ts'
import type { CollectTelemetry } from './telemetry.ts'

const IDLE_MS = 100
const ROUND_BYTES = 8 * 1024 * 1024
const IDS_A_TIME = 100
/** Bytes that a crash cut off are looked for so long, in copies that may be under way. */
const GIVE_UP_MS = 10_000
const MIB = 1024 * 1024
/** Of one line; a longer one is taken in parts. */
const MAX_LINE_BYTES = 11 * MIB

export type MakeKeeps = (filter: string, account: LogWork['account']) => KeepsEvent | undefined

export type CollectorDeps = {
  readonly metastore: OpenedMetastore
  readonly eventLog: Pick<EventLog, 'append' | 'partitions' | 'maxBlockBytes'>
  readonly clock: Clock
  readonly logger: Logger
  readonly held: Fence & { readonly signal: AbortSignal }
  /** Of this machine: the host of its events. */
  readonly hostName: string
  readonly makeKeeps: MakeKeeps
  readonly masks: Masks
  readonly paths: PathRules
  readonly telemetry: CollectTelemetry
  /** Account of the address book that reaches the files; absent: those of this machine. */
  readonly account?: string
  readonly source?: FileSource
}

export class Collector {
  readonly #deps: CollectorDeps
  readonly #sender: Sender
  readonly #source: FileSource
  readonly #account: string
  readonly #works = new Map<number, LogWork>()
  #nextLookMs = Number.NEGATIVE_INFINITY
  #ids: number[] = []
  /** By log, as they are saved. */
  readonly #saidFaults = new Map<number, string>()

  constructor(deps: CollectorDeps) {
    this.#deps = deps
    this.#sender = new Sender(deps)
    this.#source = deps.source ?? LOCAL_FILES
    this.#account = deps.account ?? ''
  }

  /** Until the signal aborts. Fails with what the database or a file system says that no file is
   *  to blame for; then another Collector begins anew. */
  async run(): Promise<void> {
    const { clock, held, telemetry } = this.#deps
    try {
      while (!held.signal.aborted) {
        if (clock.elapsedMs() >= this.#nextLookMs) await this.#lookInTime()
        const pieces = await this.#takePieces()
        if (pieces.length > 0) await this.#commit(pieces)
        else {
          await this.#save()
          const leftMs = Math.max(0, this.#nextLookMs - clock.elapsedMs())
          await clock.sleep(Math.min(IDLE_MS, leftMs), held.signal)
        }
      }
      await this.#save()
    } finally {
      for (const { files } of this.#works.values()) await files.close()
      telemetry.looked(this.#account, [], { beganMs: clock.elapsedMs(), nowMs: clock.nowMs() })
    }
  }

  /** What a short look takes makes none later; behind a long one is time for other work. */
  async #lookInTime(): Promise<void> {
    const { clock } = this.#deps
    const { lookEveryMs } = this.#source
    const beganMs = clock.elapsedMs()
    await this.#look(beganMs)
    const endedMs = clock.elapsedMs()
    const pauseMs = Math.min(lookEveryMs, endedMs - beganMs)
    this.#nextLookMs = Math.max(beganMs + lookEveryMs, endedMs + pauseMs)
  }

  async #look(beganMs: number): Promise<void> {
    const { metastore, clock, telemetry, held } = this.#deps
    const { database } = metastore
    const templates = await newestTemplateNumber(database.read)
    const wanted = new Map<number, LogRecord>()
    for (const log of (await metastore.tree()).logs.values())
      if (log.definition.filePaths.length > 0 && log.definition.account === this.#account)
        wanted.set(log.id, log)
    for (const [id, { files }] of this.#works) {
      if (wanted.has(id)) continue
      await this.#save()
      await files.close()
      this.#works.delete(id)
    }
    for (const log of wanted.values()) {
      if (held.signal.aborted) return
      const work = await this.#workOf(log, templates)
      if (work.filterFault !== '') continue
      try {
        // Until what a crash may have cut off is sent, nobody can say what is a copy of what.
        work.isResuming = await this.#resume(work)
        if (!work.isResuming) await work.files.scan(work.patterns)
        work.sourceFault = ''
      } catch (error) {
        if (!(error instanceof RemoteFault)) throw error
        // Nobody can say what is there: nothing is known to be gone.
        work.sourceFault = error.message
        for (const tail of work.files.tails) tail.soughtMs = clock.elapsedMs()
      }
    }
    await this.#saveFaults()
    // Positions are saved before they are reported: whoever sees that nothing is behind finds them.
    await this.#save()
    telemetry.looked(this.#account, [...this.#works.values()], { beganMs, nowMs: clock.nowMs() })
  }

  /** Those that were saved before this collector began are not known to it: all are new to it. */
  async #saveFaults(): Promise<void> {
    const { metastore, clock, held } = this.#deps
    const changed = new Map<number, string>()
    for (const [id, work] of this.#works) {
      const fault = faultsOf(work).join('; ')
      if (this.#saidFaults.get(id) !== fault) changed.set(id, fault)
    }
    for (const id of this.#saidFaults.keys()) if (!this.#works.has(id)) changed.set(id, '')
    if (changed.size === 0) return
    await saveCollectFaults({ database: metastore.database, held }, changed, clock.nowMs())
    for (const [id, fault] of changed)
      if (this.#works.has(id)) this.#saidFaults.set(id, fault)
      else this.#saidFaults.delete(id)
  }

  async #workOf(log: LogRecord, templates: number): Promise<LogWork> {
    const known = this.#works.get(log.id)
    const source = sourceOfLog(log)
    const read = readPatterns(log.definition.filePaths)
    if (known !== undefined) {
      known.patterns = read.patterns
      known.faults = read.faults
      const isSame = JSON.stringify(source) === JSON.stringify(known.source)
      if (isSame && known.templates === templates) return known
    }
    const { metastore, clock } = this.#deps
    const version = await metastore.database.write((transaction) =>
      takeSourceVersion(transaction, log.id, source, clock.nowMs()),
    )
    const account = await metastore.accountVersion(-log.id, version)
    const made = { source, templates, account, ...this.#filterOf(source, account) }
    if (known !== undefined) return Object.assign(known, made)
    const startsOf = () =>
      (this.#works.get(log.id)?.patterns ?? read.patterns).map(({ root }) => root)
    const tree = guarded(this.#source, this.#deps.paths, startsOf)
    const files = new LogFiles({
      logId: log.id,
      source: tree,
      elapsedMs: clock.elapsedMs,
      nowMs: clock.nowMs,
      takeId: () => this.#takeId(),
    })
    await files.load(metastore.database.read)
    const work = { logId: log.id, files, tree, isResuming: true, sourceFault: '', ...made, ...read }
    this.#works.set(log.id, work)
    return work
  }

  /** Where this program does not take a filter, nothing is read: without it, it would be too
   *  much. */
  #filterOf({ filter }: LogWork['source'], account: LogWork['account']) {
    try {
      return { keeps: this.#deps.makeKeeps(filter, account), filterFault: '' }
    } catch (error) {
      if (!isFailure(error)) throw error
      return { keeps: undefined, filterFault: `dataFilterQuery: ${error.message}` }
    }
  }

  async #takeId(): Promise<number> {
    const { metastore, held } = this.#deps
    if (this.#ids.length === 0) {
      const first = await takeFileIds({ database: metastore.database, held }, IDS_A_TIME)
      this.#ids = Array.from({ length: IDS_A_TIME }, (_, index) => first + index)
    }
    return this.#ids.shift() ?? 0
  }

  async #takePieces(): Promise<Piece[]> {
    const pieces: Piece[] = []
    let bytes = 0
    const nowMs = this.#deps.clock.elapsedMs()
    for (const work of this.#works.values()) {
      if (work.isResuming || work.files.isSettling || work.filterFault !== '') continue
      const mostBytes = this.#mostBytes(work)
      for (const tail of work.files.tails) {
        const { piece, isMore } = await takePiece(work, tail, { nowMs, mostBytes })
        if (piece !== undefined) {
          pieces.push(piece)
          bytes += piece.bytes.length
        }
        // What is newer waits for it.
        if (isMore || bytes >= ROUND_BYTES) break
      }
      if (bytes >= ROUND_BYTES) break
    }
    // The next round begins with another log.
    const [first] = this.#works
    if (first !== undefined) {
      this.#works.delete(first[0])
      this.#works.set(...first)
    }
    return pieces
  }

  /** Of UTF-8 a character may have three bytes where it had one. */
  #mostBytes({ source }: LogWork): number {
    const room = (this.#deps.eventLog.maxBlockBytes - MIB) * 0.9
    return Math.floor(Math.min(MAX_LINE_BYTES, source.charSet === null ? room : room / 3))
  }

  async #commit(pieces: readonly Piece[]): Promise<void> {
    const { clock, hostName, eventLog, telemetry } = this.#deps
    const receivedMs = clock.nowMs()
    for (const [number, { work, tail, account, bytes, cut }] of pieces.entries()) {
      const { file } = tail
      work.files.changed.add(file)
      file.pending = {
        to: file.position + bytes.length,
        version: account.version,
        receivedMs,
        partition: partitionOf(account.id, hostName, eventLog.partitions),
        hash: hashOf(bytes),
        number,
        events: cut.ranges.length / 2,
      }
    }
    await this.#save()
    if (!(await this.#sender.send(pieces))) return
    for (const { tail, bytes, cut } of pieces) {
      await this.#settle(tail, bytes)
      telemetry.collected(tail.file.logId, cut, bytes.length)
    }
  }

  async #settle(tail: FileTail, bytes: Buffer): Promise<void> {
    await tail.advance(bytes)
    tail.file.events += tail.file.pending?.events ?? 0
    tail.file.pending = undefined
    this.#works.get(tail.file.logId)?.files.changed.add(tail.file)
  }

  /** Sends again what a crash may have cut off; the writer drops what it has already. True: not
   *  all of it is found yet. */
  async #resume(work: LogWork): Promise<boolean> {
    const { metastore, held } = this.#deps
    const numberOf = ({ file }: FileTail) => file.pending?.number ?? 0
    const begun = work.files.tails.filter(({ file }) => file.pending !== undefined)
    for (const tail of begun.sort((a, b) => numberOf(a) - numberOf(b))) {
      const { file } = tail
      if (file.pending === undefined || held.signal.aborted) continue
      const found = await this.#findPending(work, tail)
      if (found === 'later') return true
      if (found === 'unreadable') continue
      if (found === 'gone') {
        await this.#giveUp(work, tail, file.pending.to)
        continue
      }
      const { version } = file.pending
      const account = await metastore.accountVersion(-work.logId, version)
      // As it was said then: other bytes would be another request, and stored beside the first.
      const { source } = await readSource(metastore.database.read, work.logId, version)
      const again = { ...found, account, source }
      await this.#sendAgain(work, tail, again).finally(() => found.tail.close())
    }
    return false
  }

  /** 'unreadable': copies of it wait, the others go on. Fails with RemoteFault. */
  async #findPending({ patterns, tree }: LogWork, tail: FileTail) {
    const { logger, clock } = this.#deps
    const { file } = tail
    const isLate = clock.elapsedMs() - tail.soughtMs >= GIVE_UP_MS
    try {
      const found = await findPending(tree, tail, patterns)
      return found === 'gone' && !isLate ? 'later' : found
    } catch (error) {
      const isOfFile = error instanceof Error && 'code' in error && !(error instanceof RemoteFault)
      if (!isOfFile) throw error
      if (!isLate) return 'later'
      if (file.fault === '') logger.warn('file cannot be read to go on', describeError(error))
      file.fault = describeFault(file.path, error)
      return 'unreadable'
    }
  }

  async #giveUp({ files, source }: LogWork, tail: FileTail, to: number): Promise<void> {
    const { file } = tail
    this.#deps.logger.warn('bytes of a file are gone that may not have been collected', {
      log: source.name,
      bytes: to - file.position,
    })
    file.position = to
    file.pending = undefined
    await files.end(tail, 'done')
  }

  async #sendAgain(
    work: LogWork,
    tail: FileTail,
    found: { tail: FileTail; bytes: Buffer } & Pick<LogWork, 'account' | 'source'>,
  ): Promise<void> {
    const { account, source, bytes } = found
    const { file } = tail
    const form = await found.tail.sniffed(source.charSet)
    if (form === undefined) return await this.#giveUp(work, tail, file.pending?.to ?? file.position)
    const filter = this.#filterOf(source, account)
    const keeps = filter.filterFault === '' ? filter.keeps : work.keeps
    const cut = cutPiece(bytes, { form, account, isFinal: true, keeps })
    if (!(await this.#sender.send([{ work, tail, account, bytes, cut }]))) return
    this.#deps.telemetry.collected(work.logId, cut, bytes.length)
    const copy = found.tail.file
    await found.tail.advance(bytes)
    const { position, headBytes, headHash, tailBytes, tailHash, marks } = copy
    file.events += file.pending?.events ?? 0
    file.fault = ''
    Object.assign(file, { position, headBytes, headHash, tailBytes, tailHash, marks })
    file.pending = undefined
    work.files.changed.add(file)
  }

  async #save(): Promise<void> {
    const { metastore, held, clock } = this.#deps
    const deps = { database: metastore.database, held }
    for (const { files } of this.#works.values()) {
      // All at once: one flush.
      if (files.forgotten.length > 0) await forgetFiles(deps, files.forgotten.splice(0))
    }
    const changed = [...this.#works.values()].flatMap(({ files }) => [...files.changed])
    if (changed.length === 0) return
    await saveFiles(deps, changed, clock.nowMs())
    for (const file of changed) {
      file.changedMs = clock.nowMs()
      this.#works.get(file.logId)?.files.changed.delete(file)
    }
  }
}
