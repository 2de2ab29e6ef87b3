// `import`: a file into a listener account, as its senders would send it. Each chunk is on the disk
// of the product before the next is sent; what is sent is noted first, so that an import that was
// stopped or killed goes on without losing or doubling an event.
import * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '../../../../infra/clock.ts'
import { formatByteSize } from '../../../../schemas/byte-size.ts'
import type { ImportInput } from '../../../../schemas/sdk/import-file.ts'
import type { Ending } from '../exit-codes.ts'
import type { Connection } from '../post-body.ts'
import { type Chunk, cutChunks, LineTooLong } from './cut-chunks.ts'
import {
  type ImportState,
  readImportState,
  STATE_SUFFIX,
  sha256,
  writeImportState,
} from './import-state.ts'
import { guessFormat, type ImportSource, openImportSource } from './open-source.ts'
import { previewImport } from './preview.ts'
import { openProgressLine, printProgress } from './progress.ts'
import { type ChunkTarget, type ListenerAnswer, sendChunk } from './send-chunk.ts'

/** For that long the product knows a chunk that was sent (decision 2.7), less an hour. */
const KNOWN_MS = 23 * 60 * 60_000
const COMPARED_BYTES = 64 * 1024
const PREVIEW_LINES = 50
const MAX_TOLD_REJECTIONS = 5
const ID_BYTES = 12

export type ImportTools = {
  /** Of the product, with a slash at its end. */
  readonly productUrl: URL
  readonly connection: Connection
  readonly clock: Clock
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Whether to go on after the preview. */
  readonly confirm: () => Promise<boolean>
  /** Ends it after the chunk that is under way. */
  readonly stop: AbortSignal
}

export type ImportEnding = {
  readonly ending: Ending
  /** Why it did not end well. */
  readonly reason?: string
  readonly answer?: {
    readonly accepted: number
    readonly rejected: number
    readonly seconds: number
  }
}

export async function runImport(given: ImportInput, tools: ImportTools): Promise<ImportEnding> {
  const statePath = given.stateFile ?? `${given.file}${STATE_SUFFIX}`
  const begun = await beginOrGoOn(given, statePath, tools)
  if ('ending' in begun) return begun
  const { state, start } = begun
  const url = new URL(`/logeye/api/logger.jsp`, tools.productUrl)
  url.searchParams.set('token', given.listenerToken)
  if (given.hostName !== undefined) url.searchParams.set('hostName', given.hostName)
  const { Agent } = url.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const connection = { ...tools.connection, agent }
  try {
    if (state.done === 0 && state.sent === undefined) {
      const seen = await previewImport(url, firstLines(start), state.format, connection)
      if (seen.kind !== 'seen') return { ending: seen.kind, reason: seen.reason }
      tools.output.write(seen.text)
      if (given.dryRun === true) return { ending: 'done' }
      if (given.yes !== true && !(await tools.confirm()))
        return { ending: 'refused', reason: 'nothing was imported; -yes goes on without asking' }
    } else if (given.dryRun === true) return { ending: 'done' }
    return await sendAll(given.file, state, { ...tools, url, connection, statePath })
  } finally {
    agent.destroy()
  }
}

type Begun = { readonly state: ImportState; readonly start: Buffer }

async function beginOrGoOn(
  given: ImportInput,
  statePath: string,
  { clock, output, productUrl }: ImportTools,
): Promise<Begun | ImportEnding> {
  const refuse = (reason: string): ImportEnding => ({ ending: 'wrongUsage', reason })
  const opened = await openImportSource(given.file)
  if (typeof opened === 'string') return refuse(`-file: ${given.file} ${opened}`)
  const start = await readStart(opened)
  if (start === undefined)
    return refuse(`-file: ${given.file} is damaged: it cannot be decompressed`)
  const format = given.format ?? guessFormat(start)
  if (typeof format !== 'string') return refuse(`-file: ${given.file} ${format.fault}`)
  const fresh: ImportState = {
    id: clock.randomBytes(ID_BYTES).toString('hex'),
    productUrl: productUrl.href,
    account: sha256(given.listenerToken),
    beginsWith: { bytes: start.length, sha256: sha256(start) },
    format,
    done: 0,
    accepted: 0,
    rejected: 0,
    isWhole: false,
  }
  if (given.again === true) return { state: fresh, start }
  const kept = readKept(statePath)
  if (kept === 'unreadable')
    return refuse(`${statePath} cannot be read; -again imports from the start`)
  if (kept === undefined) return { state: fresh, start }
  const again = `-again imports it from the start, and stores its events once more`
  const begins = start.subarray(0, kept.beginsWith.bytes)
  if (sha256(begins) !== kept.beginsWith.sha256)
    return refuse(`${given.file} is another file than the one that ${statePath} tells of; ${again}`)
  if (kept.account !== fresh.account || kept.productUrl !== fresh.productUrl)
    return refuse(`${statePath} tells of an import into another account or product; ${again}`)
  if (kept.sent !== undefined && clock.nowMs() - kept.sent.sinceMs > KNOWN_MS)
    return refuse(
      `the import was cut off more than a day ago, and whether the ${formatByteSize(kept.sent.bytes)} from byte ${kept.done} on were stored is not known any more: search for them; ${again}`,
    )
  if (kept.isWhole)
    output.write('it was imported to its end before; what was added since follows\n')
  else output.write(`going on at byte ${kept.done}\n`)
  return { state: { ...kept, isWhole: false }, start }
}

function readKept(statePath: string): ImportState | undefined | 'unreadable' {
  try {
    return readImportState(statePath)
  } catch {
    return 'unreadable'
  }
}

/** Undefined: it cannot be decompressed. */
async function readStart(source: ImportSource): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of source.stream) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= COMPARED_BYTES) break
    }
    return Buffer.concat(pieces).subarray(0, COMPARED_BYTES)
  } catch {
    return undefined
  } finally {
    source.close()
  }
}

/** Whole ones, unless there is one alone. */
function firstLines(start: Buffer): Buffer {
  let end = 0
  for (let lines = 0; lines < PREVIEW_LINES; lines += 1) {
    const next = start.indexOf(10, end)
    if (next < 0) break
    end = next + 1
  }
  return end === 0 ? start : start.subarray(0, end)
}

type Around = ImportTools & { readonly url: URL; readonly statePath: string }

async function sendAll(file: string, begun: ImportState, around: Around): Promise<ImportEnding> {
  const { clock, output, statePath, stop } = around
  const source = await openImportSource(file)
  if (typeof source === 'string')
    return { ending: 'wrongUsage', reason: `-file: ${file} ${source}` }
  const begunMs = clock.elapsedMs()
  const line = openProgressLine(output, () => clock.elapsedMs())
  const target: ChunkTarget = {
    url: around.url,
    connection: around.connection,
    format: begun.format,
    clock,
    signal: stop,
    onWait: (reason) => line.show(`waiting, the product says: ${reason}`),
  }
  let state = begun
  let readBefore: number | undefined
  const keep = (next: ImportState) => {
    writeImportState(statePath, next)
    state = next
  }
  const goOn = (reason: string) =>
    `${reason}; ${state.done} bytes are stored, and the same command goes on there`
  try {
    const from = { from: begun.done, firstBytes: begun.sent?.bytes }
    for await (const chunk of cutChunks(source.stream, from)) {
      if (stop.aborted) return { ending: 'refused', reason: goOn('stopped') }
      readBefore ??= source.readBytes()
      // Since it was first sent, also by a run before: from then on the product counts.
      const sinceMs = state.sent?.sinceMs ?? clock.nowMs()
      keep({ ...state, sent: { bytes: chunk.bytes.length, sinceMs } })
      const sent = await sendChunk(chunk.bytes, `import-${begun.id}-${chunk.offset}`, target)
      if (sent.kind === 'refused') return { ending: 'refused', reason: goOn(sent.reason) }
      if (sent.kind === 'stuck') return { ending: 'unreachable', reason: goOn(sent.reason) }
      for (const text of describeRejections(state, sent.answer)) output.write(text)
      keep(afterChunk(state, chunk, sent.answer))
      const readBytes = source.readBytes()
      line.show(
        printProgress({
          ...state,
          readBytes,
          fileBytes: source.fileBytes,
          ranBytes: readBytes - readBefore,
          elapsedMs: clock.elapsedMs() - begunMs,
        }),
      )
    }
    keep({ ...state, isWhole: true })
    const seconds = Math.round((clock.elapsedMs() - begunMs) / 100) / 10
    const { accepted, rejected } = state
    return { ending: 'done', answer: { accepted, rejected, seconds } }
  } catch (error) {
    if (error instanceof LineTooLong)
      return {
        ending: 'refused',
        reason: `the line at byte ${state.done} or after it is longer than 8 MiB, and no event may be: shorten or remove it; then the same command goes on at byte ${state.done}`,
      }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { ending: 'refused', reason: goOn(`the file or ${statePath} failed (${code})`) }
  } finally {
    line.end()
    source.close()
  }
}

function afterChunk(state: ImportState, chunk: Chunk, answer: ListenerAnswer): ImportState {
  const { sent: _, ...rest } = state
  return {
    ...rest,
    done: chunk.offset + chunk.bytes.length,
    accepted: state.accepted + answer.accepted,
    rejected: state.rejected + answer.rejected,
  }
}

/** The first of an import alone: all are in System->rejected. */
function describeRejections(
  { accepted, rejected }: ImportState,
  { errors }: ListenerAnswer,
): readonly string[] {
  return errors
    .slice(0, Math.max(0, MAX_TOLD_REJECTIONS - rejected))
    .map(({ index, message }) => `event ${accepted + rejected + index + 1}: ${message}\n`)
}
