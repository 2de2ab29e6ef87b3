// Pages of a stored result (decision 4.6): forward only, each once, by a token that passes from
// page to page with the last row read.
import type { Reader } from '../../../infra/metastore/rights/port.ts'
import {
  leavePage,
  type NewResultFile,
  passPage,
  type StoredResult,
  takePage,
} from '../../../infra/metastore/searches/search-results.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { PageCall } from '../parameters.ts'
import type { LogNames } from '../print/event-cells.ts'
import { columnsOf, type ResultShape, readShape, styleOf } from '../print/result-shape.ts'
import { makeRowCells } from '../print/row-cells.ts'
import type { FileFormat } from '../print/row-printer.ts'
import { type Content, toCsvData, toXmlData } from '../print/xml.ts'
import { runInTurn, type Turn } from '../run-in-turn.ts'
import type { SearchDeps, SearchOutcome } from '../search-deps.ts'
import { fileOf, PAGE_TOKEN_KEPT_MS } from './result-life.ts'
import { hashSecret } from './secret.ts'
import { maySeeResult, readStoredRows } from './stored-result.ts'

export type PageJob = Turn & {
  readonly call: PageCall
  readonly reader: Reader
  readonly queryId: string
  readonly maxInlineBytes: number
}

export type PrintedPage = {
  readonly content: Content
  /** When the page is too large to be inlined. */
  readonly file: NewResultFile | undefined
  readonly nextRow: number
}

/** A call that was killed in the middle of its page keeps others from it for so long. */
const TAKEN_MS = 20_000

/** The next page under the token. */
export async function runPage(job: PageJob, deps: SearchDeps): Promise<SearchOutcome> {
  const { clock, database, metastore } = deps
  const { call, userId, reader } = job
  const mark = clock.randomBytes(12).toString('hex')
  const nowMs = clock.nowMs()
  const tokenHash = hashSecret(call.token)
  const untilMs = nowMs + TAKEN_MS
  const page = await takePage(database, { tokenHash, userId, mark, nowMs, untilMs })
  if (page === undefined) return refuseToken()
  const { result } = page
  try {
    const shape = readShape(result.shape)
    const visible = await metastore.visibleLogs(reader)
    if (shape === undefined || !maySeeResult(result, visible)) return refuseToken()
    const { logs: names } = await metastore.tree()
    const format = call.format ?? (page.resultFormat === 'csv' ? 'csv' : 'xml')
    const range = { from: page.nextRow, pageRows: page.pageRows, queryId: job.queryId }
    const printed = await runInTurn({ ...job, queryIds: [job.queryId] }, deps, () =>
      printPage({ result, shape, names, format }, range, job, deps),
    )
    // After the last page comes an empty one, and with it the end of the token.
    const isOver = page.nextRow >= result.rowCount
    const { nextRow, file, content } = printed
    const expiresMs = isOver ? null : clock.nowMs() + PAGE_TOKEN_KEPT_MS
    const hasPassed = await passPage(database, {
      resultId: result.id,
      mark,
      nextRow,
      expiresMs,
      file,
    })
    if (!hasPassed) return refuseToken()
    return { numberOfResults: result.rowCount, token: isOver ? '' : call.token, content }
  } catch (error) {
    await leavePage(database, result.id, mark).catch(() => undefined)
    throw error
  }
}

type Printing = {
  readonly result: StoredResult
  readonly shape: ResultShape
  readonly names: ReadonlyMap<number, LogNames>
  readonly format: FileFormat
}

type PageTurn = Turn & { readonly maxInlineBytes: number }

/** Prints the rows `from` … `from + pageRows - 1`. */
export async function printPage(
  printing: Printing,
  range: { readonly from: number; readonly pageRows: number; readonly queryId: string },
  turn: PageTurn,
  deps: SearchDeps,
): Promise<PrintedPage> {
  const { result, format } = printing
  const { from, queryId } = range
  const nextRow = Math.min(result.rowCount, from + range.pageRows)
  const data = await printInline(printing, { from, to: nextRow, queryId }, turn, deps)
  if (data !== undefined) return { content: { data }, file: undefined, nextRow }
  const rows = { firstRow: from, rowCount: nextRow - from }
  const file = fileOf(result.id, format, rows, deps.clock)
  return { content: { url: `${deps.publicUrl}${file.path}` }, file: file.record, nextRow }
}

/** Undefined when it is too large to be inlined. */
async function printInline(
  { result, shape, names, format }: Printing,
  range: { readonly from: number; readonly to: number; readonly queryId: string },
  turn: PageTurn,
  deps: SearchDeps,
): Promise<string | undefined> {
  const { maxInlineBytes } = turn
  const toCells = makeRowCells(shape, names, styleOf(shape))
  const rows: (readonly string[])[] = []
  let length = 0
  for await (const batch of readStoredRows(result, range, turn, deps)) {
    for (const row of batch) {
      const cells = toCells(row)
      for (const cell of cells) length += cell.length + 1
      if (length > maxInlineBytes) return undefined
      rows.push(cells)
    }
  }
  const table = { columns: columnsOf(shape), rows }
  const data =
    format === 'csv' ? toCsvData(table, maxInlineBytes) : toXmlData(table, maxInlineBytes)
  return Buffer.byteLength(data) > maxInlineBytes ? undefined : data
}

function refuseToken(): never {
  const reason = 'unknown or expired, or another call reads its page now'
  throw new Failure('search.parameter', { parameter: 'token', reason })
}
