// The text of a query becomes a tree that was checked: the beginning of everything that is done
// with a query.
import type { Warning } from '../../schemas/warning.ts'
import { checkQuery } from './check/check-query.ts'
import { parseQuery } from './parse/parse-query.ts'
import { makeQueryCatalog } from './resolve/query-catalog.ts'
import type { SearchInput } from './search-input.ts'
import type { Query } from './tree.ts'

/** Throws Failure `search.query` { position (from 1), reason }. */
export function readQuery({
  text,
  visibleLogs,
  columns,
}: Pick<SearchInput, 'text' | 'visibleLogs' | 'columns'>): {
  readonly query: Query
  readonly warnings: readonly Warning[]
} {
  const catalog = makeQueryCatalog(visibleLogs, columns)
  const query = parseQuery(text, catalog)
  return { query, warnings: checkQuery(text, query, catalog) }
}
