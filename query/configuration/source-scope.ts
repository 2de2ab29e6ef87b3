// sourceQuery: a scope as in a search, without the word `in`.
import type { ReadSourceQuery } from '../../infra/metastore/tags/source-query.ts'
import { isFailure } from '../../schemas/failures.ts'
import { Input } from '../language/parse/input.ts'
import { parseScopeList } from '../language/parse/parse-scope.ts'
import { matchesWhole } from '../language/resolve/glob.ts'
import { namesLogs, selectsLog } from '../language/resolve/select-logs.ts'
import type { SearchableLog } from '../language/search-input.ts'
import type { Scope, ScopeItem } from '../language/tree.ts'
import { refuse } from './read-given.ts'

/** Undefined: everything. Fails with request.invalid. */
export function parseSourceQuery(text: string | undefined): Scope | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const scope = parseLogScope(text)
  if ('fault' in scope) throw refuse('sourceQuery', scope.fault, scope.cause)
  return scope
}

/** Of an app tag. */
export const readTagQuery: ReadSourceQuery = (text) => {
  const scope = parseLogScope(text)
  if ('fault' in scope) return undefined
  const tests = scope.include.map(testOf)
  return {
    selects: (log) => tests.some((test) => test(log)),
    namesTag: (name) =>
      scope.include.some(
        (item) =>
          item.kind === 'scopeName' && item.of === 'apptag' && matchesWhole(item.name, name),
      ),
  }
}

/** A folder is asked about once for all its logs, which share the list of its levels. */
function testOf(item: ScopeItem): (log: SearchableLog) => boolean {
  if (item.kind === 'scopeEverything' || item.of !== 'folder') return (log) => selectsLog(item, log)
  const known = new WeakMap<readonly string[], boolean>()
  return (log) => {
    const isSelected = known.get(log.folder) ?? selectsLog(item, log)
    known.set(log.folder, isSelected)
    return isSelected
  }
}

/** Why the text is no source query; undefined: it is one. */
export function findSourceFault(text: string): string | undefined {
  const scope = parseLogScope(text)
  return 'fault' in scope ? scope.fault : undefined
}

type Fault = { readonly fault: string; readonly cause?: unknown }

function parseLogScope(text: string): Scope | Fault {
  try {
    const scope = parseScopeList(new Input(text))
    return scope.include.every((item) => item.kind === 'scopeEverything' || namesLogs(item))
      ? scope
      : { fault: 'server. and file. name no logs: give apptag., folder. or log.' }
  } catch (error) {
    if (isFailure(error)) return { fault: error.message, cause: error }
    throw error
  }
}
