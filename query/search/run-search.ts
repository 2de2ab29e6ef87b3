// One search from its parameters to the finished content of Data (design 2.5): visible logs -> compile -> place in the queue ->
// count where a limit asks for it -> rows, no more than the answer can hold -> text. Everything ends with the signal, whose
// reason is the failure to answer; the place in the queue is given back when the store has let go of the query.
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights-port.ts'
import { Failure } from '../../schemas/failures.ts'
import { compileSearch } from '../language/compile-search.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import type { LogNames } from './event-cells.ts'
import { readEventRow } from './event-row-reader.ts'
import { EventTable } from './event-table.ts'
import type { SearchCall } from './parameters.ts'
import { limitedQuery, runInTurn, type TurnDeps } from './run-in-turn.ts'
import { SummaryTable } from './summary-table.ts'
import { readVisibleScope } from './visible-scope.ts'
import { toCsvData, toXmlData } from './xml.ts'

export type SearchDeps = TurnDeps & { readonly metastore: Metastore & Rights }

export type SearchJob = {
  readonly call: SearchCall
  readonly userId: number
  readonly queryId: string
  readonly style: CellStyle
  /** clock.elapsedMs() at which the answer must have begun. */
  readonly deadlineMs: number
  readonly maxInlineBytes: number
  readonly signal: AbortSignal
}

export type SearchOutcome = { readonly numberOfResults: number; readonly data: string }

export async function runSearch(job: SearchJob, deps: SearchDeps): Promise<SearchOutcome> {
  job.signal.throwIfAborted()
  const { compiled, logs } = await compile(job, deps)
  const queryIds = [queryIdOf(job, 'rows'), queryIdOf(job, 'count')]
  return await runInTurn({ ...job, queryIds }, deps, () => runCompiled(compiled, logs, job, deps))
}

async function compile(
  { call, userId, style }: SearchJob,
  { metastore }: SearchDeps,
): Promise<{ compiled: CompiledSearch; logs: ReadonlyMap<number, LogNames> }> {
  const { names, ...scope } = await readVisibleScope(metastore, userId, call.query)
  const compiled = compileSearch({
    ...scope,
    text: call.query,
    window: call.window,
    dateFormat: style.dateFormat.pattern,
    timeZone: style.zone.name,
    maxRows: call.maxNumOfRecords,
  })
  return { compiled, logs: names }
}

async function runCompiled(
  compiled: CompiledSearch,
  logs: ReadonlyMap<number, LogNames>,
  job: SearchJob,
  deps: SearchDeps,
): Promise<SearchOutcome> {
  const { abortOn } = job.call
  if (abortOn !== undefined) await refuseAbove(abortOn, compiled, job, deps)
  const table =
    compiled.kind === 'events'
      ? new EventTable(compiled, logs, job.style)
      : new SummaryTable(compiled.columns, job.style)
  // Leaving the loop early closes the query.
  for await (const rows of deps.store.stream(storeQuery(compiled, job, deps, 'rows'))) {
    for (const row of rows) {
      if (table instanceof EventTable) table.add(readEventRow(row))
      else table.add(row)
      if (table.textLength > job.maxInlineBytes) return refuseTooLarge(job)
    }
  }
  const finished = table.finish()
  const data =
    job.call.resultFormat === 'csv'
      ? toCsvData(finished, job.maxInlineBytes)
      : toXmlData(finished, job.maxInlineBytes)
  return Buffer.byteLength(data) > job.maxInlineBytes
    ? refuseTooLarge(job)
    : { numberOfResults: table.rowCount, data }
}

function refuseTooLarge({ maxInlineBytes }: SearchJob): never {
  throw new Failure('search.too_large', { maxInlineBytes })
}

/** abortOn is about the whole result, before maxNumOfRecords cuts it (decision 4.5). */
async function refuseAbove(
  abortOn: number,
  compiled: CompiledSearch,
  job: SearchJob,
  deps: SearchDeps,
): Promise<void> {
  const query = storeQuery(compiled, job, deps, 'count')
  const rows = await deps.store.query<{ total: string | number }>({
    ...query,
    sql: compiled.countSql,
    params: { ...compiled.params, countLimit: abortOn + 1 },
  })
  if (Number(rows[0]?.total ?? 0) > abortOn)
    throw new Failure('search.too_many_results', { maxResults: abortOn })
}

function storeQuery(
  compiled: CompiledSearch,
  job: SearchJob,
  deps: SearchDeps,
  part: 'count' | 'rows',
) {
  const { sql, params, settings } = compiled
  return limitedQuery({ sql, params, settings, queryId: queryIdOf(job, part) }, job, deps)
}

function queryIdOf(job: SearchJob, part: 'count' | 'rows'): string {
  return part === 'rows' ? job.queryId : `${job.queryId}-count`
}
