// What a user may search: the logs that he may see and their columns (decision 4.9). Every compilation begins here.
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights-port.ts'
import { candidateLogs } from '../language/compile-search.ts'
import type { KnownColumn, SearchableLog } from '../language/search-input.ts'
import type { LogNames } from './event-cells.ts'

export type VisibleScope = {
  readonly visibleLogs: readonly SearchableLog[]
  readonly columns: ReadonlyMap<number, readonly KnownColumn[]>
  /** Every log there is, also those to come. */
  readonly seesAll: boolean
  /** Of all logs, for the names in rows only: the rows are of visible logs already. */
  readonly names: ReadonlyMap<number, LogNames>
}

export async function readVisibleScope(
  metastore: Metastore & Rights,
  userId: number,
  query: string,
): Promise<VisibleScope> {
  const [tree, visible] = await Promise.all([metastore.tree(), metastore.visibleLogs(userId)])
  const visibleLogs =
    visible === 'all'
      ? [...tree.logs.values()]
      : [...visible].flatMap((id) => tree.logs.get(id) ?? [])
  const columns = await metastore.columns(candidateLogs(query, visibleLogs))
  return { visibleLogs, columns, seesAll: visible === 'all', names: tree.logs }
}
