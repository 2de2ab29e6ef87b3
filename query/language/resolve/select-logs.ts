// Which logs a scope selects (search-language#scopes). Names are case-sensitive and compared whole.
import { guardedLogOf } from '../../../schemas/names/guarded-logs.ts'
import { LEVEL_SEPARATOR, logPathKey, ROOT_NAME } from '../../../schemas/names/log-path.ts'
import type { SearchableLog } from '../search-input.ts'
import type { Filter, Pattern, Scope, ScopeItem, ScopeName } from '../tree.ts'
import { matchesWhole } from './glob.ts'

/** True when the item names logs, and not hosts or files, which any log may have. */
export function namesLogs(item: ScopeItem): boolean {
  return item.kind === 'scopeName' && item.of !== 'server' && item.of !== 'file'
}

/** True when the item selects this log. Only for items that name logs. */
export function selectsLog(item: ScopeItem, log: SearchableLog): boolean {
  if (item.kind === 'scopeEverything') return true
  switch (item.of) {
    case 'log':
      return matchesWhole(item.name, hasPath(item) ? logPathKey(log.folder, log.name) : log.name)
    case 'folder':
      return selectsFolder(item, log.folder)
    case 'apptag':
      return log.appTags.some((tag) => matchesWhole(item.name, tag))
    case 'type':
      return log.typeWords.some((word) => matchesWhole(item.name, word))
    case 'server':
    case 'file':
      return true
  }
}

/** Logs that can have events inside the scope; the given list where it is all of them. */
export function logsOfScope(
  scope: Scope,
  logs: readonly SearchableLog[],
): readonly SearchableLog[] {
  const selected = logs.filter(
    (log) =>
      (scope.include.length === 0 || scope.include.some((item) => selectsLog(item, log))) &&
      !scope.exclude.some((item) => takesWholeLog(item) && selectsLog(item, log)),
  )
  return selected.length === logs.length ? logs : selected
}

/** Logs that events which pass the filter can come from. */
export function logsOfFilter(
  filter: Filter,
  logs: readonly SearchableLog[],
): readonly SearchableLog[] {
  switch (filter.kind) {
    case 'scoped':
      return logsOfFilter(filter.operand, logsOfScope(filter.scope, logs))
    case 'and':
      return filter.operands.reduce((left, operand) => logsOfFilter(operand, left), logs)
    case 'or': {
      if (!filter.operands.some(hasScope)) return logs
      const kept = new Set(filter.operands.flatMap((operand) => logsOfFilter(operand, logs)))
      return logs.filter((log) => kept.has(log))
    }
    case 'everything':
    case 'word':
    case 'phrase':
    case 'test':
    case 'not':
      return logs
  }
}

/** Of those, the logs that a search reads. It has the audit log only where it names it: the text of
 *  each search is in there, so that a word would find the searches for it. Likewise that of
 *  alerts: a monitor would find its own. */
export function searchedLogs(
  filter: Filter,
  logs: readonly SearchableLog[],
): readonly SearchableLog[] {
  const found = logsOfFilter(filter, logs)
  const unnamed = found.filter((log) => guardedLogOf(log) !== undefined && !namesLog(filter, log))
  return unnamed.length === 0 ? found : found.filter((log) => !unnamed.includes(log))
}

function namesLog(filter: Filter, log: SearchableLog): boolean {
  switch (filter.kind) {
    case 'scoped': {
      const isNamed = filter.scope.include.some((item) => namesLogs(item) && selectsLog(item, log))
      return isNamed || namesLog(filter.operand, log)
    }
    case 'and':
    case 'or':
      return filter.operands.some((operand) => namesLog(operand, log))
    case 'not':
      return namesLog(filter.operand, log)
    case 'everything':
    case 'word':
    case 'phrase':
    case 'test':
      return false
  }
}

/** Said by its name alone; a wildcard is of the levels below it. */
function isRoot({ name: [part, ...others] }: ScopeName): boolean {
  return part?.kind === 'text' && part.text === ROOT_NAME && others.length === 0
}

function hasScope(filter: Filter): boolean {
  if (filter.kind === 'scoped') return true
  return (filter.kind === 'and' || filter.kind === 'or') && filter.operands.some(hasScope)
}

/** `not in server.a` takes events away, not logs. */
function takesWholeLog(item: ScopeItem): boolean {
  return item.kind === 'scopeEverything' || namesLogs(item)
}

/** By name or by path, with all folders below it. */
function selectsFolder(item: ScopeName, folder: readonly string[]): boolean {
  if (isRoot(item)) return true
  const isPath = hasPath(item)
  return folder.some((level, depth) =>
    matchesWhole(item.name, isPath ? folder.slice(0, depth + 1).join(LEVEL_SEPARATOR) : level),
  )
}

function hasPath({ name }: { readonly name: Pattern }): boolean {
  return name.some((part) => part.kind === 'text' && part.text.includes(LEVEL_SEPARATOR))
}
