// A whole result in the store's table `results`, from which pages and files are printed (decision
// 0012): the store sorts and keeps it, no row passes through this process before it is delivered.
// It never changes, so that new events shift nothing.
import type { Clock } from '../../../infra/clock.ts'
import type { Database } from '../../../infra/database/port.ts'
import { masksMarkOf } from '../../../infra/metastore/rights/masks-mark.ts'
import {
  addResult,
  giveUpResult,
  growResult,
  hasExpiredResults,
  type ResultQuota,
  type StoredResult,
} from '../../../infra/metastore/searches/search-results.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import { localName, systemTable } from '../../../schemas/store/cluster.ts'
import type { CompiledSearch } from '../../language/compiled.ts'
import type { CellStyle } from '../print/cell-text.ts'
import { type ResultShape, shapeOf } from '../print/result-shape.ts'
import { limitedQuery, type Turn, type TurnDeps } from '../run-in-turn.ts'
import { cleanResults } from './result-cleaner.ts'
import { watchedInsert } from './watched-insert.ts'

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

export type ResultLimits = {
  readonly maxResults: number
  /** The quota of the user. */
  readonly quota: ResultQuota
}

/** Runs the search into the store. Fails with search.too_many_results when it gives more than
 *  `maxResults` rows, with search.quota when the user would have too much stored. */
export async function makeStoredResult(
  compiled: CompiledSearch,
  search: Turn & ResultOwner & { readonly queryId: string; readonly style: CellStyle },
  { maxResults, quota }: ResultLimits,
  deps: ResultDeps,
): Promise<StoredResult & { readonly layout: ResultShape }> {
  const { clock, database, store } = deps
  const { userId, logs, style } = search
  const id = makeId(clock)
  const leftMs = Math.ceil(Math.max(0, search.deadlineMs - clock.elapsedMs()))
  const expiresMs = clock.nowMs() + leftMs + MAKING_MS
  await reserve({ id, userId, logs, expiresMs }, quota, deps)
  try {
    const names = compiled.kind === 'events' ? compiled.namesSql : '[]'
    const sql = `INSERT INTO results (result, n, row, names)
SELECT toString({storedResult:UUID}), rowNumberInAllBlocks(), formatRowNoNewline('JSONCompactEachRow', *), ${names}
FROM (${compiled.sql})`
    const params = { ...compiled.params, storedResult: id }
    const settings = {
      ...compiled.settings,
      ...INSERT_SETTINGS,
      min_free_disk_bytes_to_perform_insert: deps.keptFreeBytes,
    }
    const { queryId } = search
    const query = { sql, params, settings, queryId }
    await watchedInsert(
      (signal) => store.command(limitedQuery(query, { ...search, signal }, deps)),
      async () => {
        const bytes = await measureParts(id, search, deps)
        await growResult(database, { id, userId, bytes }, quota)
      },
      search.signal,
      clock,
    )
    const { rowCount, bytes, names: found } = await measure(id, search, deps)
    await growResult(database, { id, userId, bytes }, quota)
    if (rowCount > maxResults) throw new Failure('search.too_many_results', { maxResults })
    const layout = shapeOf(compiled, found, style)
    return { id, userId, logs, shape: JSON.stringify(layout), layout, rowCount, bytes }
  } catch (error) {
    // Its rows are removed with those of other results whose time is over (result-cleaner.ts).
    await giveUpResult(database, id).catch(() => undefined)
    throw error
  }
}

/** What the user has given up goes first, when it stands in the way of more. */
async function reserve(
  result: Parameters<typeof addResult>[1],
  quota: ResultQuota,
  deps: ResultDeps,
): Promise<void> {
  const { clock, database } = deps
  try {
    await addResult(database, result, quota)
  } catch (error) {
    const isFull = isFailure(error) && error.code === 'search.quota'
    if (!isFull || !(await hasExpiredResults(database, result.userId, clock.nowMs()))) throw error
    await cleanResults(deps)
    await addResult(database, result, quota)
  }
}

/** A UUID: as a parameter it is no text, by which the store would tell a search that crashes it
 *  from the same one tried again. */
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

/** Bytes of the rows that are there by now, without reading them. */
async function measureParts(id: string, turn: Turn, deps: ResultDeps): Promise<number> {
  const { cluster } = deps.store
  const sql = `SELECT sum(column_data_uncompressed_bytes) AS bytes FROM ${systemTable('parts_columns', cluster)} WHERE database = currentDatabase() AND table = '${localName('results', cluster)}' AND partition = {result:String} AND column = 'row' AND active`
  const settings = { priority: 1 }
  const query = limitedQuery({ sql, params: { result: id }, settings }, turn, deps)
  const [row] = await deps.store.query<{ bytes: string }>(query)
  return Number(row?.bytes ?? 0)
}

/** Rows `from` … `to - 1` in their order. Fails with search.result_lost when not all of them are
 *  there. */
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

/** False when the user has lost the right to a log that he could see when the result was made
 *  (decision 4.9), or when policies hide other values from him now. */
export function maySeeResult(
  { logs }: Pick<StoredResult, 'logs'>,
  visible: 'all' | ReadonlySet<number>,
): boolean {
  const made = logs === 'all' ? undefined : masksMarkOf(logs)
  if (made !== (visible === 'all' ? undefined : masksMarkOf(visible))) return false
  if (visible === 'all') return true
  return logs !== 'all' && logs.every((id) => visible.has(id))
}
