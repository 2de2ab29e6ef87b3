// Streaming export (ours: resultFormat json and csv-plain): rows go from the store to the client as
// they come, as many as there are, with their own bytes. `timeout` counts until the first byte; a
// client that takes nothing for half a minute is cut off by the store.

import { FairQueue } from '../../../infra/fair-queue.ts'
import { Failure } from '../../../schemas/failures.ts'
import { filterSettings } from '../../../schemas/store/cluster.ts'
import type { CompiledSearch } from '../../language/compiled.ts'
import type { ByteChannel } from '../byte-channel.ts'
import type { CellStyle } from '../print/cell-text.ts'
import type { LogNames } from '../print/event-cells.ts'
import { shownCells } from '../print/event-table.ts'
import { type ResultShape, shapeOf } from '../print/result-shape.ts'
import { makeByteRowCells } from '../print/row-cells.ts'
import { type ExportFormat, makeExportPrinter } from '../print/row-printer.ts'
import { TextChunks } from '../print/text-chunks.ts'
import { limitedQuery, runInTurn, type Turn, type TurnDeps } from '../run-in-turn.ts'

export type ExportJob = Turn & {
  readonly queryId: string
  readonly style: CellStyle
  readonly format: ExportFormat
  /** Before the first row; fails when the search may not deliver. */
  readonly check: (compiled: CompiledSearch) => Promise<void>
  /** Sends what is written; fails when it may not go on. */
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** The first byte is there: the time of the search is over. */
  readonly answered: () => void
}

export type Export = {
  readonly body: ReadableStream<Uint8Array>
  /** How many rows have gone out; rejects when the export was cut. */
  readonly done: Promise<number>
}

/** What the store lets one query run. */
const MAX_EXPORT_MS = 3_600_000
const MAX_WAITING = 1000

/** Exports may take long: they never hold all places of the searches. */
export function maxExports(maxConcurrent: number): number {
  return Math.max(1, Math.floor(maxConcurrent / 2))
}

export function makeExportQueue(maxConcurrent: number): FairQueue {
  return new FairQueue({ maxRunning: maxExports(maxConcurrent), maxWaiting: MAX_WAITING })
}

/** Resolves with the first byte; fails like any search before it. `gone`: the signal of a reader
 *  that went away, for the job's. */
export async function startExport(
  compiled: CompiledSearch,
  logs: ReadonlyMap<number, LogNames>,
  job: ExportJob,
  deps: TurnDeps & { readonly exports: FairQueue },
  channel: ByteChannel,
): Promise<Export> {
  const leave = await deps.exports.enter(String(job.userId), job.signal)
  if (leave === 'full') throw new Failure('search.busy')
  if (leave === 'aborted') throw job.signal.reason
  const queryIds = ['', '-count', '-bound', '-names'].map((part) => `${job.queryId}${part}`)
  const done = runInTurn({ ...job, queryIds }, deps, async () => {
    await job.check(compiled)
    const { shape, settings } = await readExportShape(compiled, job, deps)
    // Any number of events, each read once.
    const ofAll = { ...compiled.settings, ...settings, use_uncompressed_cache: 0 }
    const bounded = { ...compiled, settings: ofAll }
    return await writeRows(bounded, shape, logs, job, deps)
  })
    .then((rowCount) => {
      channel.end()
      return rowCount
    })
    .finally(leave)
  const failed = done.catch((error: unknown): never => {
    channel.fail(error)
    throw error
  })
  await Promise.race([channel.begun, failed])
  job.answered()
  return { body: channel.body, done }
}

async function writeRows(
  compiled: CompiledSearch,
  shape: ResultShape,
  logs: ReadonlyMap<number, LogNames>,
  job: ExportJob,
  deps: TurnDeps,
): Promise<number> {
  const chunks = new TextChunks(
    makeByteRowCells(shape, logs, job.style),
    makeExportPrinter(job.format, shape),
    job.write,
  )
  const { sql, params, settings } = compiled
  const query = {
    ...limitedQuery({ sql, params, settings, queryId: job.queryId }, job, deps),
    timeoutMs: MAX_EXPORT_MS,
  }
  for await (const rows of deps.store.stream(query, { texts: 'bytes' })) await chunks.add(rows)
  await chunks.end()
  return chunks.rowCount
}

/** A CSV says its columns before its rows: which parsed columns the rows have is asked first, and
 *  events that come afterwards stay out by `settings`. JSON leaves out what a row lacks. */
async function readExportShape(
  compiled: CompiledSearch,
  job: ExportJob,
  deps: TurnDeps,
): Promise<{ shape: ResultShape; settings?: Readonly<Record<string, string>> }> {
  if (compiled.kind === 'table') return { shape: shapeOf(compiled, new Set(), job.style) }
  const parsed = shownCells(compiled).flatMap((cell) =>
    cell.kind === 'parsed' ? cell.column.spellings : [],
  )
  if (job.format === 'json' || parsed.length === 0)
    return { shape: shapeOf(compiled, new Set(parsed), job.style) }
  const bound = await readBound(job, deps)
  const sql = `SELECT groupUniqArrayArray(${compiled.namesSql}) AS spellings FROM (${compiled.sql})`
  const { params } = compiled
  const settings = { ...compiled.settings, ...bound }
  const query = limitedQuery({ sql, params, settings, queryId: `${job.queryId}-names` }, job, deps)
  const [row] = await deps.store.query<{ spellings: string[] }>(query)
  return { shape: shapeOf(compiled, new Set(row?.spellings ?? []), job.style), settings: bound }
}

/** A setting by which every read of `events` ends where they end now. */
async function readBound(
  job: ExportJob,
  deps: TurnDeps,
): Promise<Readonly<Record<string, string>>> {
  const sql = 'SELECT partition, max(offset) AS last FROM events GROUP BY partition'
  const query = limitedQuery({ sql, queryId: `${job.queryId}-bound` }, job, deps)
  const ends = await deps.store.query<{ partition: number; last: string }>(query)
  const parts = ends.map(
    ({ partition, last }) => `(partition = ${Number(partition)} AND offset <= ${BigInt(last)})`,
  )
  const filter = parts.length === 0 ? '0' : parts.join(' OR ')
  return filterSettings('events', filter)
}
