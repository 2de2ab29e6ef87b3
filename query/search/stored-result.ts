// A whole result in the store's table `results`, from which pages and files are printed (design 2.5): the store sorts and keeps it,
// no row passes through this process before it is delivered. It never changes, so that new events shift nothing.
import type { Clock } from '../../infra/clock.ts'
import type { Database } from '../../infra/database/port.ts'
import { addResult, removeResult, type StoredResult } from '../../infra/metastore/search-results.ts'
import type { Store } from '../../infra/store/port.ts'
import { Failure } from '../../schemas/failures.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import { type ResultShape, shapeOf } from './result-shape.ts'
import { limitedQuery, type Turn, type TurnDeps } from './run-in-turn.ts'

export type ResultDeps = TurnDeps & { readonly database: Database }

export type ResultOwner = {
  readonly userId: number
  /** Logs that the user may see now. */
  readonly logs: 'all' | readonly number[]
}

/** Beyond the time of the search: until its first page or file has been made of it. */
const MAKING_MS = 600_000

/** Blocks that keep the memory flat; parts of a result are never merged. */
const INSERT_SETTINGS = {
  max_insert_threads: 1,
  min_insert_block_size_rows: 65_536,
  min_insert_block_size_bytes: 16 * 1024 * 1024,
  insert_deduplicate: 0,
  output_format_json_quote_64bit_integers: 1,
} as const

/** Runs the search into the store. Fails with search.too_many_results when it gives more than `maxResults` rows. */
export async function makeStoredResult(
  compiled: CompiledSearch,
  search: Turn & ResultOwner & { readonly queryId: string; readonly style: CellStyle },
  limits: { readonly maxResults: number },
  deps: ResultDeps,
): Promise<StoredResult & { readonly layout: ResultShape }> {
  const { clock, database, store } = deps
  const { userId, logs, style } = search
  const id = makeId(clock)
  const expiresMs = clock.nowMs() + Math.max(0, search.deadlineMs - clock.elapsedMs()) + MAKING_MS
  await addResult(database, { id, userId, logs, expiresMs })
  try {
    const names = compiled.kind === 'events' ? compiled.namesSql : '[]'
    const sql = `INSERT INTO results (result, n, row, names)
SELECT toString({storedResult:UUID}), rowNumberInAllBlocks(), formatRowNoNewline('JSONCompactEachRow', *), ${names}
FROM (${compiled.sql})`
    const params = { ...compiled.params, storedResult: id }
    const settings = { ...compiled.settings, ...INSERT_SETTINGS }
    const { queryId } = search
    await store.command(limitedQuery({ sql, params, settings, queryId }, search, deps))
    const measured = await measure(id, search, deps)
    if (measured.rowCount > limits.maxResults)
      throw new Failure('search.too_many_results', { maxResults: limits.maxResults })
    const layout = shapeOf(compiled, measured.names, style)
    const { rowCount, bytes } = measured
    return { id, userId, logs, shape: JSON.stringify(layout), layout, rowCount, bytes }
  } catch (error) {
    // Its rows are removed with those of other results that nothing names any more (result-cleaner.ts).
    await removeResult(database, id).catch(() => undefined)
    throw error
  }
}

/** A UUID: as a parameter it is no text, by which the store would tell a search that crashes it from the same one tried again. */
function makeId(clock: Pick<Clock, 'randomBytes'>): string {
  const hex = clock.randomBytes(16).toString('hex')
  return [0, 8, 12, 16, 20].map((from, at, cuts) => hex.slice(from, cuts[at + 1])).join('-')
}

async function measure(
  id: string,
  turn: Turn,
  deps: ResultDeps,
): Promise<{ rowCount: number; bytes: number; names: ReadonlySet<string> }> {
  const sql =
    'SELECT count() AS rowCount, sum(length(row)) AS bytes, groupUniqArrayArray(names) AS names FROM results WHERE result = {result:String}'
  const query = limitedQuery({ sql, params: { result: id } }, turn, deps)
  const [row] = await deps.store.query<{ rowCount: string; bytes: string; names: string[] }>(query)
  return {
    rowCount: Number(row?.rowCount ?? 0),
    bytes: Number(row?.bytes ?? 0),
    names: new Set(row?.names ?? []),
  }
}

/** Rows `from` … `to - 1` in their order. Fails with search.result_lost when not all of them are there. */
export async function* readStoredRows(
  result: Pick<StoredResult, 'id' | 'rowCount'>,
  range: { readonly from: number; readonly to: number; readonly queryId: string },
  turn: Turn,
  deps: TurnDeps,
): AsyncGenerator<readonly unknown[][]> {
  const { from, queryId } = range
  const to = Math.min(range.to, result.rowCount)
  if (from >= to) return
  const sql =
    'SELECT row FROM results WHERE result = {result:String} AND n >= {from:UInt64} AND n < {to:UInt64} ORDER BY n'
  const params = { result: result.id, from: String(from), to: String(to) }
  const query = limitedQuery({ sql, params, queryId }, turn, deps)
  let count = 0
  for await (const rows of deps.store.stream(query, { rowsAre: 'json' })) {
    count += rows.length
    yield rows
  }
  if (count !== to - from) throw new Failure('search.result_lost')
}

/** False when the user has lost the right to a log that he could see when the result was made (decision 4.9). */
export function maySeeResult(
  { logs }: Pick<StoredResult, 'logs'>,
  visible: 'all' | ReadonlySet<number>,
): boolean {
  if (visible === 'all') return true
  return logs !== 'all' && logs.every((id) => visible.has(id))
}

/** Removes the rows of results that no record names, whoever left them behind: a crash, an end, a time that is over. */
export async function dropUnnamedResults(
  store: Store,
  names: () => Promise<ReadonlySet<string>>,
  clock: Pick<Clock, 'elapsedMs'>,
  limitMs: number,
): Promise<void> {
  const startedMs = clock.elapsedMs()
  // A record is there before its first row: what is listed first and not named then is nobody's.
  const there = await store.query<{ result: string }>({
    sql: "SELECT DISTINCT partition AS result FROM system.parts WHERE database = currentDatabase() AND table = 'results' AND active",
  })
  const named = await names()
  for (const { result } of there) {
    if (named.has(result)) continue
    if (clock.elapsedMs() - startedMs > limitMs) return
    await store.command({
      sql: 'ALTER TABLE results DROP PARTITION {result:String}',
      params: { result },
    })
  }
}
