// A search before it runs: what its user may see, and its query compiled for that.
import type { Reader } from '../../infra/metastore/rights/port.ts'
import { compileWithColumns } from '../language/compile-with-columns.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import { readOnce } from '../language/read-query.ts'
import type { SearchInput } from '../language/search-input.ts'
import type { SearchCall } from './parameters.ts'
import type { CellStyle } from './print/cell-text.ts'
import type { LogNames } from './print/event-cells.ts'
import type { ResultLimits, ResultOwner } from './results/stored-result.ts'
import { limitedQuery, runInTurn, type Turn } from './run-in-turn.ts'
import type { SearchDeps } from './search-deps.ts'
import { readVisibleScope, type VisibleScope } from './visible-scope.ts'

export type SearchJob = Turn &
  ResultLimits & {
    readonly call: SearchCall
    readonly reader: Reader
    readonly queryId: string
    /** The instant of the call. */
    readonly nowMs: number
    readonly style: CellStyle
    readonly maxInlineBytes: number
  }

export type PreparedSearch = {
  readonly scope: VisibleScope
  readonly input: SearchInput
  readonly compiled: CompiledSearch
  readonly names: ReadonlyMap<number, LogNames>
  readonly owner: ResultOwner
}

export async function prepareSearch(job: SearchJob, deps: SearchDeps): Promise<PreparedSearch> {
  job.signal.throwIfAborted()
  const { call, userId, reader, style } = job
  const scope = await readVisibleScope(deps.metastore, reader)
  const { names, seesAll, visibleLogs, columns, masks, masksMark } = scope
  const input = readOnce({
    visibleLogs,
    columns,
    masks,
    text: call.query,
    window: call.window,
    dateFormat: style.dateFormat.pattern,
    timeZone: style.zone.name,
    nowMs: job.nowMs,
    // One more than may be delivered, so that too many are seen.
    maxRows: call.maxRows ?? (call.delivery.kind === 'paged' ? job.maxResults + 1 : null),
  })
  const queryId = `${job.queryId}-columns`
  const compiled = await compileWithColumns(input, (statement) =>
    runInTurn({ ...job, queryIds: [queryId] }, deps, () =>
      deps.store.query<{ name: string }>(limitedQuery({ ...statement, queryId }, job, deps)),
    ),
  )
  const ids = visibleLogs.map(({ id }) => id)
  const logs = seesAll ? ('all' as const) : masksMark === undefined ? ids : [...ids, masksMark]
  return { scope, input, compiled, names, owner: { userId, logs } }
}
