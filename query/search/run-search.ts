// A search from its statement to the content of its answer (decision 0012), in its turn: count
// where a limit asks for it -> rows. A small result is built whole; a larger one, and one that is
// paged, is stored and printed from there.
import type { SignedIn } from '../../infra/access/signed-in.ts'
import { finishResult } from '../../infra/metastore/searches/search-results.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import type { ByteChannel } from './byte-channel.ts'
import type { SearchCall } from './parameters.ts'
import type { PreparedSearch, SearchJob } from './prepare-search.ts'
import { readEventRow } from './print/event-row-reader.ts'
import { EventTable } from './print/event-table.ts'
import type { FileFormat } from './print/row-printer.ts'
import { SummaryTable } from './print/summary-table.ts'
import { toCsvData, toXmlData } from './print/xml.ts'
import { type Export, startExport } from './results/export.ts'
import { type PrintedPage, printPage } from './results/pages.ts'
import { fileOf, PAGE_TOKEN_KEPT_MS } from './results/result-life.ts'
import { hashSecret, makeSecret } from './results/secret.ts'
import { makeStoredResult } from './results/stored-result.ts'
import { watchedWrites } from './results/watched-writes.ts'
import { limitedQuery, runInTurn } from './run-in-turn.ts'
import type { SearchDeps, SearchOutcome } from './search-deps.ts'

type UnlimitedQuery = Parameters<typeof limitedQuery>[0]

export async function runSearch(
  prepared: PreparedSearch,
  job: SearchJob,
  deps: SearchDeps,
): Promise<SearchOutcome> {
  const queryIds = ['', '-quick', '-count', '-store', '-page'].map(
    (part) => `${job.queryId}${part}`,
  )
  return await runInTurn({ ...job, queryIds }, deps, async () => {
    await refuseAbove(prepared.compiled, job, deps)
    const { delivery } = job.call
    if (delivery.kind === 'paged') return await startPaging(prepared, delivery, job, deps)
    const format = delivery.kind === 'inline' ? delivery.format : 'xml'
    const inline = await runInline(prepared, format, job, deps)
    return inline ?? (await runToFile(prepared, format, job, deps))
  })
}

/** The rows go out through `channel`. */
export async function runExport(
  { compiled, names, owner }: PreparedSearch,
  job: SearchJob & { readonly answered: () => void; readonly signedIn: SignedIn },
  deps: SearchDeps,
  channel: ByteChannel,
): Promise<Export> {
  const { delivery } = job.call
  if (delivery.kind !== 'export') throw new TypeError('no export was asked for')
  const { signedIn, signal } = job
  const { logs } = owner
  const write = watchedWrites((chunk) => channel.write(chunk, signal), { signedIn, logs }, deps)
  const check = () => refuseAbove(compiled, job, deps)
  return await startExport(
    compiled,
    names,
    { ...job, format: delivery.format, check, write },
    deps,
    channel,
  )
}

/** Undefined when it is too large to be inlined. */
async function runInline(
  prepared: PreparedSearch,
  format: FileFormat,
  job: SearchJob,
  deps: SearchDeps,
): Promise<SearchOutcome | undefined> {
  const { compiled } = prepared
  const read = (statement: UnlimitedQuery) => readInline(prepared, statement, format, job, deps)
  const whole = { ...statementOf(compiled), queryId: job.queryId }
  if (compiled.kind === 'events' || !compiled.quickSql) return await read(whole)
  try {
    return await read({ ...whole, sql: compiled.quickSql, queryId: `${job.queryId}-quick` })
  } catch (error) {
    if (!isFailure(error) || error.code !== 'store.several_spellings') throw error
    return await read(whole)
  }
}

async function readInline(
  { compiled, names }: PreparedSearch,
  statement: UnlimitedQuery,
  format: FileFormat,
  job: SearchJob,
  deps: SearchDeps,
): Promise<SearchOutcome | undefined> {
  const { style, maxInlineBytes } = job
  const table =
    compiled.kind === 'events'
      ? new EventTable(compiled, names, style)
      : new SummaryTable(compiled.columns, style)
  // Leaving the loop early closes the query.
  const query = limitedQuery(statement, job, deps)
  for await (const rows of deps.store.stream(query)) {
    for (const row of rows) {
      if (table instanceof EventTable) table.add(readEventRow(row))
      else table.add(row)
      if (table.textLength > maxInlineBytes) return undefined
    }
  }
  const finished = table.finish()
  const data =
    format === 'csv' ? toCsvData(finished, maxInlineBytes) : toXmlData(finished, maxInlineBytes)
  return Buffer.byteLength(data) > maxInlineBytes
    ? undefined
    : { numberOfResults: table.rowCount, token: '', content: { data } }
}

/** The search runs once more, into the store: what was read so far is not its whole. */
async function runToFile(
  prepared: PreparedSearch,
  format: FileFormat,
  job: SearchJob,
  deps: SearchDeps,
): Promise<SearchOutcome> {
  const result = await store(prepared, job, deps)
  const rows = { firstRow: 0, rowCount: result.rowCount }
  const file = fileOf(result.id, format, rows, deps.clock)
  await finishResult(deps.database, { ...result, file: file.record })
  const url = `${deps.publicUrl}${file.path}`
  return { numberOfResults: result.rowCount, token: '', content: { url } }
}

async function startPaging(
  prepared: PreparedSearch,
  delivery: Extract<SearchCall['delivery'], { kind: 'paged' }>,
  job: SearchJob,
  deps: SearchDeps,
): Promise<SearchOutcome> {
  const { clock } = deps
  const result = await store(prepared, job, deps)
  const { format, pageRows } = delivery
  const page: PrintedPage = await printPage(
    { result, shape: result.layout, names: prepared.names, format },
    { from: 0, pageRows, queryId: `${job.queryId}-page` },
    job,
    deps,
  )
  const token = makeSecret(clock)
  const { content, file } = page
  await finishResult(deps.database, {
    ...result,
    paging: {
      tokenHash: hashSecret(token),
      expiresMs: clock.nowMs() + PAGE_TOKEN_KEPT_MS,
      resultFormat: format,
      pageRows,
      nextRow: page.nextRow,
    },
    ...(file === undefined ? {} : { file }),
  })
  return { numberOfResults: result.rowCount, token, content }
}

function store({ compiled, owner }: PreparedSearch, job: SearchJob, deps: SearchDeps) {
  const search = { ...job, ...owner, queryId: `${job.queryId}-store` }
  return makeStoredResult(compiled, search, job, deps)
}

/** abortOn is about the whole result, before maxNumOfRecords cuts it (decision 4.5). */
async function refuseAbove(
  compiled: CompiledSearch,
  job: SearchJob,
  deps: SearchDeps,
): Promise<void> {
  const { abortOn } = job.call
  if (abortOn === undefined) return
  const params = { ...compiled.params, countLimit: abortOn + 1 }
  const query = limitedQuery(
    { ...statementOf(compiled), sql: compiled.countSql, params, queryId: `${job.queryId}-count` },
    job,
    deps,
  )
  const rows = await deps.store.query<{ total: string | number }>(query)
  if (Number(rows[0]?.total ?? 0) > abortOn)
    throw new Failure('search.too_many_results', { maxResults: abortOn })
}

function statementOf({ sql, params, settings }: CompiledSearch) {
  return { sql, params, settings }
}
