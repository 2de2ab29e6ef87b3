// What is collected of one log: its files, and the version of what is said of it.

import type { LogRecord } from '../../infra/metastore/tree/port.ts'
import { RemoteFault } from '../../infra/outbound/remote-fault.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import type { CollectSource } from '../../schemas/log-definition.ts'
import { type CutPiece, cutPiece, type KeepsEvent } from './cut-piece.ts'
import type { FileTail } from './file-tail.ts'
import { describeFault, isGone } from './find-files.ts'
import type { LogFiles } from './log-files.ts'
import { PackedFault } from './packing.ts'
import { type PathPattern, parsePathPattern } from './path-pattern.ts'
import type { FileSource } from './sources/file-source.ts'

/** A line without an end is taken when nothing came for so long; an event whose next lines may
 *  still come, sooner. */
const QUIET_LINE_MS = 5000
const QUIET_EVENT_MS = 1000
const RETRY_MS = 5000
const LF = 0x0a

export type Piece = {
  readonly work: LogWork
  readonly tail: FileTail
  readonly account: ListenerAccount
  readonly bytes: Buffer
  readonly cut: CutPiece
}

export type LogWork = {
  readonly logId: number
  readonly files: LogFiles
  /** What they are read from. */
  readonly tree: FileSource
  source: CollectSource
  /** What a crash may have cut off is looked for; nothing else is read. */
  isResuming: boolean
  templates: number
  account: ListenerAccount
  keeps: KeepsEvent | undefined
  /** Why nothing is read; '' for nothing. */
  filterFault: string
  /** Why nobody can say what is there; '' for nothing. */
  sourceFault: string
  patterns: readonly PathPattern[]
  faults: readonly string[]
}

/** Beside those of single files. */
export function faultsOf({ filterFault, sourceFault, faults, files }: LogWork): readonly string[] {
  const all = [filterFault, sourceFault, ...faults, ...files.faults]
  return all.filter((fault) => fault !== '')
}

export function sourceOfLog({ folder, name, policyId, definition }: LogRecord): CollectSource {
  const { patterns, template, timeZone, charSet, dataFilterQuery } = definition
  return {
    ...{ folder, name, policyId, patterns, template, timeZone, charSet },
    filter: dataFilterQuery.trim(),
  }
}

/** Of this machine, from its root; what cannot be read as one is said. */
export function readPatterns(paths: readonly string[]): {
  readonly patterns: readonly PathPattern[]
  readonly faults: readonly string[]
} {
  const patterns: PathPattern[] = []
  const faults: string[] = []
  for (const path of paths) {
    try {
      if (!path.startsWith('/')) throw new RangeError(`${path}: must begin with /`)
      patterns.push(parsePathPattern(path))
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
      faults.push(error.message)
    }
  }
  return { patterns, faults }
}

/** What comes next of a file; undefined: nothing now. `isMore`: more lies behind it. */
export async function takePiece(
  work: LogWork,
  tail: FileTail,
  { nowMs, mostBytes }: { readonly nowMs: number; readonly mostBytes: number },
): Promise<{ readonly piece: Piece | undefined; readonly isMore: boolean }> {
  const nothing = { piece: undefined, isMore: false }
  const { file, rest } = tail
  if (file.state !== 'open' || file.pending !== undefined || nowMs < tail.retryMs) return nothing
  const quietMs = nowMs - tail.grownMs
  const isQuiet = rest !== undefined && quietMs >= (rest.isLineEnd ? QUIET_EVENT_MS : QUIET_LINE_MS)
  if (!tail.mayHaveMore && !isQuiet) return nothing
  const { charSet } = work.source
  try {
    const next = await tail.next(charSet)
    if (next.kind === 'moved') return await lookFirst(work, tail)
    if (next.kind === 'replaced') {
      await work.files.end(tail, 'done')
      return await lookFirst(work, tail)
    }
    if (next.kind === 'binary')
      await work.files.end(tail, 'skipped', 'holds bytes that are no text: it is not read')
    if (next.kind !== 'bytes' || tail.form === undefined) return nothing
    setFault(work, tail, '')
    const { bytes, isEnd } = next
    if (bytes.length === 0) {
      tail.rest = undefined
      return nothing
    }
    const { account, keeps } = work
    const cutAs = (isFinal: boolean) =>
      cutPiece(bytes, { form: tail.form ?? fail(), account, isFinal, keeps })
    let cut = cutAs(isEnd && (file.isPacked || isQuiet))
    if (cut.taken === 0 && !isEnd) {
      if (tail.widen(mostBytes)) return { piece: undefined, isMore: true }
      cut = cutAs(true)
    }
    tail.rest = cut.taken < bytes.length ? { isLineEnd: bytes.at(-1) === LF } : undefined
    if (cut.taken === 0) return nothing
    const piece = { work, tail, account, bytes: bytes.subarray(0, cut.taken), cut }
    return { piece, isMore: !isEnd }
  } catch (error) {
    if (isGone(error)) return await lookFirst(work, tail)
    tail.lookAgain()
    if (error instanceof RemoteFault) {
      work.sourceFault = error.message
      await tail.close()
      if (work.files.noteAway()) return { piece: undefined, isMore: true }
    } else if (error instanceof PackedFault) setFault(work, tail, error.message)
    else if (error instanceof Error && 'code' in error) {
      setFault(work, tail, describeFault(file.path, error))
      await tail.close()
    } else throw error
    tail.retryMs = nowMs + RETRY_MS
    return nothing
  }
}

/** What is not read of it may have another name now, or lie in a copy, and goes before what is
 *  newer: the next look at the directory says. */
async function lookFirst({ files }: LogWork, tail: FileTail) {
  files.isSettling = true
  tail.lookAgain()
  await tail.close()
  return { piece: undefined, isMore: true }
}

function setFault({ files }: LogWork, { file }: FileTail, fault: string): void {
  if (file.fault === fault) return
  file.fault = fault
  files.changed.add(file)
}

function fail(): never {
  throw new Error('a file without a form was read')
}
