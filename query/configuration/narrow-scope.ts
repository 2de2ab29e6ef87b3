import { selectsLog } from '../language/resolve/select-logs.ts'
import type { VisibleScope } from '../search/visible-scope.ts'
import { parseSourceQuery } from './source-scope.ts'

/** Only the logs that the sources select: nothing else is there for the query. '' selects all.
 *  Fails with request.invalid. */
export function narrowScope(scope: VisibleScope, sources: string): VisibleScope {
  const selected = parseSourceQuery(sources)
  if (selected === undefined) return scope
  const visibleLogs = scope.visibleLogs.filter((log) =>
    selected.include.some((item) => selectsLog(item, log)),
  )
  return { ...scope, visibleLogs, seesAll: false }
}
