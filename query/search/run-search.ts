// One search from its parameters to the finished content of Data (design 2.5): visible logs -> compile -> place in the queue ->
// count where a limit asks for it -> rows, no more than the answer can hold -> text. Everything ends with the signal, whose
// reason is the failure to answer; the place in the queue is given back when the store has let go of the query.
import type { Clock } from '../../infra/clock.ts'
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights-port.ts'
import type { Store } from '../../infra/store/port.ts'
import { Failure, type FailureCode, isFailure } from '../../schemas/failures.ts'
import { spillBytes } from '../../schemas/store/spill.ts'
import type { FairQueue } from '../fair-queue.ts'
import { candidateLogs, compileSearch } from '../language/compile-search.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import { readEventRow } from './event-row-reader.ts'
import { EventTable, type LogNames } from './event-table.ts'
import type { SearchCall } from './parameters.ts'
import { SummaryTable } from './summary-table.ts'
import { toCsvData, toXmlData } from './xml.ts'

export type SearchDeps = {
  readonly store: Store
  readonly metastore: Metastore & Rights
  readonly clock: Clock
  readonly queue: FairQueue
  readonly maxQueryMemoryBytes: number
}

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

/** After these nothing of the query is left on the store. */
const ENDED: ReadonlySet<FailureCode> = new Set([
  'store.memory',
  'store.timeout',
  'store.failed',
  'store.data',
  'store.too_many_rows',
  'store.poisoned',
  'search.too_many_results',
] as const)
const MAX_THREADS = 2

export async function runSearch(job: SearchJob, deps: SearchDeps): Promise<SearchOutcome> {
  const { signal } = job
  signal.throwIfAborted()
  const { compiled, logs } = await compile(job, deps)
  const leave = await enterQueue(job, deps)
  const work = runCompiled(compiled, logs, job, deps)
  // Not awaited: the answer goes out while the store is still letting go. Neither part rejects.
  const release = (error: unknown) =>
    isFailure(error) && ENDED.has(error.code) && !signal.aborted ? undefined : endOnStore(job, deps)
  void work.catch(release).finally(leave)
  return await untilAborted(work, signal)
}

async function compile(
  { call, userId, style }: SearchJob,
  { metastore }: SearchDeps,
): Promise<{ compiled: CompiledSearch; logs: ReadonlyMap<number, LogNames> }> {
  const [tree, visible] = await Promise.all([metastore.tree(), metastore.visibleLogs(userId)])
  const all = [...tree.logs.values()]
  const visibleLogs = visible === 'all' ? all : all.filter((log) => visible.has(log.id))
  const columns = await metastore.columns(candidateLogs(call.query, visibleLogs))
  const compiled = compileSearch({
    text: call.query,
    visibleLogs,
    columns,
    window: call.window,
    dateFormat: style.dateFormat.pattern,
    timeZone: style.zone.name,
    maxRows: call.maxNumOfRecords,
  })
  // For names only: the rows are of visible logs already.
  return { compiled, logs: tree.logs }
}

async function enterQueue(
  { userId, signal }: SearchJob,
  { queue }: SearchDeps,
): Promise<() => void> {
  const leave = await queue.enter(String(userId), signal)
  if (leave === 'full') throw new Failure('search.busy')
  if (leave === 'aborted') throw signal.reason
  return leave
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
  return {
    sql: compiled.sql,
    params: compiled.params,
    settings: {
      ...compiled.settings,
      max_threads: MAX_THREADS,
      max_memory_usage: deps.maxQueryMemoryBytes,
      max_bytes_before_external_group_by: spillBytes(deps.maxQueryMemoryBytes),
      max_bytes_before_external_sort: spillBytes(deps.maxQueryMemoryBytes),
    },
    queryId: queryIdOf(job, part),
    timeoutMs: Math.max(1, Math.ceil(job.deadlineMs - deps.clock.elapsedMs())),
    signal: job.signal,
  }
}

function queryIdOf(job: SearchJob, part: 'count' | 'rows'): string {
  return part === 'rows' ? job.queryId : `${job.queryId}-count`
}

/** Whatever the closed connection has done: the store works on neither part any more when this resolves. */
async function endOnStore(job: SearchJob, { store }: SearchDeps): Promise<void> {
  await Promise.allSettled([
    store.kill(queryIdOf(job, 'rows')),
    store.kill(queryIdOf(job, 'count')),
  ])
}

/** The answer does not wait for the store to let go. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let remove = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    remove = () => signal.removeEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    remove()
  }
}
