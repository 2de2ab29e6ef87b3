// GET /logeye/results/<id>.<xml|csv>: a stored result as a file, for the user who asked for it
// (decision 4.5). Rows are read in small windows, each in its turn of the queue and only when the
// client has taken the one before it: memory stays flat, and a slow client holds nothing.
import type { SignedIn } from '../../../infra/access/signed-in.ts'
import type { Handle } from '../../../infra/http/routes/route.ts'
import { joinSignals } from '../../../infra/join-signals.ts'
import { findFile, type ResultFile } from '../../../infra/metastore/searches/search-results.ts'
import { Failure } from '../../../schemas/failures.ts'
import { envelope, FAILED_ENVELOPE } from '../../edge/envelope.ts'
import type { SearchAudit } from '../../edge/search-audit.ts'
import type { ServeCall } from '../../edge/serve-call.ts'
import type { Given, Surface } from '../../edge/surface.ts'
import { ByteChannel } from '../byte-channel.ts'
import { streamedAnswer } from '../compressed-answer.ts'
import { columnsOf, readShape, styleOf } from '../print/result-shape.ts'
import { makeRowCells } from '../print/row-cells.ts'
import { type FileFormat, makeFilePrinter } from '../print/row-printer.ts'
import { TextChunks } from '../print/text-chunks.ts'
import { XML_CONTENT_TYPE } from '../print/xml.ts'
import { runInTurn } from '../run-in-turn.ts'
import type { SearchDeps } from '../search-deps.ts'
import { readFileName } from './result-life.ts'
import { maySeeResult, readStoredRows } from './stored-result.ts'
import { watchedWrites } from './watched-writes.ts'

export type ResultFileDeps = SearchDeps & {
  readonly serve: ServeCall
  readonly audit: SearchAudit
  readonly stopping: AbortSignal
}

const FILE_SURFACE: Surface<Given, never> = {
  read: ({ request }) => ({ pairs: [...new URL(request.url).searchParams] }),
  answer: envelope,
  failures: FAILED_ENVELOPE,
  bug: { phrase: 'result file failed', code: 'search.internal' },
  isCounted: false,
  mayBeLinked: true,
}
const AUDITED = { action: 'search.file', target: '', details: 'outcome' } as const

const CONTENT_TYPES: Readonly<Record<FileFormat, string>> = {
  xml: XML_CONTENT_TYPE,
  csv: 'text/csv; charset=utf-8',
}
const WINDOW_BYTES = 1024 * 1024
const MAX_WINDOW_ROWS = 20_000
const WINDOW_LIMIT_MS = 60_000
const QUERY_ID_BYTES = 16

export function makeResultFileApi(deps: ResultFileDeps): Handle {
  const { audit, clock, database, metastore, serve, stopping } = deps

  /** Whatever is wrong with it, a file that is not for the caller is not there. */
  async function find(
    name: string,
    { user }: SignedIn,
  ): Promise<{ file: ResultFile; format: FileFormat }> {
    const named = readFileName(name)
    const file = named && (await findFile(database, named.idHash, clock.nowMs()))
    const isIts =
      file !== undefined &&
      file.resultFormat === named?.format &&
      file.result.userId === user.id &&
      maySeeResult(file.result, await metastore.visibleLogs(user))
    if (!isIts) throw new Failure('request.not_found', { what: 'file' })
    return { file, format: named.format }
  }

  async function write(
    found: { file: ResultFile; format: FileFormat },
    signedIn: SignedIn,
    channel: ByteChannel,
    signal: AbortSignal,
  ): Promise<number> {
    const { file, format } = found
    const { result } = file
    const shape = readShape(result.shape)
    if (shape === undefined) throw new Failure('request.not_found', { what: 'file' })
    const { logs } = await metastore.tree()
    const chunks = new TextChunks(
      makeRowCells(shape, logs, styleOf(shape)),
      makeFilePrinter(format, columnsOf(shape), result.rowCount),
      watchedWrites((chunk) => channel.write(chunk, signal), { signedIn, logs: result.logs }, deps),
    )
    const end = file.firstRow + file.rowCount
    const step = windowRows(result)
    for (let from = file.firstRow; from < end; from += step) {
      const queryId = `file-${clock.randomBytes(QUERY_ID_BYTES).toString('hex')}`
      const turn = {
        userId: signedIn.user.id,
        signal,
        deadlineMs: clock.elapsedMs() + WINDOW_LIMIT_MS,
      }
      const range = { from, to: Math.min(end, from + step), queryId }
      const rows = await runInTurn({ ...turn, queryIds: [queryId] }, deps, async () => {
        const read: unknown[][] = []
        for await (const batch of readStoredRows(result, range, turn, deps)) read.push(...batch)
        return read
      })
      await chunks.add(rows)
    }
    await chunks.end()
    return chunks.rowCount
  }

  return serve(FILE_SURFACE, async ({ request, pathValues, signedIn, asked }) => {
    const found = await find(pathValues.name ?? '', signedIn)
    asked.audit = (outcome) => audit.add(AUDITED, signedIn, outcome)
    const channel = new ByteChannel()
    const { signal, leave } = joinSignals([request.signal, stopping, channel.gone])
    const written = write(found, signedIn, channel, signal).finally(leave)
    const ended = written.then(
      (rowCount) => {
        channel.end()
        return rowCount
      },
      (error: unknown): never => {
        channel.fail(error)
        throw error
      },
    )
    await Promise.race([channel.begun, ended])
    return { response: streamedAnswer(request, channel.body, CONTENT_TYPES[found.format]), ended }
  })
}

function windowRows({ bytes, rowCount }: { bytes: number; rowCount: number }): number {
  const average = Math.max(1, bytes / Math.max(1, rowCount))
  return Math.max(1, Math.min(MAX_WINDOW_ROWS, Math.floor(WINDOW_BYTES / average)))
}
