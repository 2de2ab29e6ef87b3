// Parts of a scope that select no log, and the names that are near to theirs.
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { printPattern } from '../print/print-words.ts'
import type { SearchableLog } from '../search-input.ts'
import type { ScopeItem, ScopeName } from '../tree.ts'
import { namesLogs, selectsLog } from './select-logs.ts'

export type EmptyScope = {
  /** As printed. */
  readonly name: string
  readonly nearest: string | null
}

export type FindNear = (word: string, known: readonly string[]) => string | undefined

/** Undefined for a part that selects a log, or names hosts or files, which any log may have. */
export function emptyScope(
  item: ScopeItem,
  logs: readonly SearchableLog[],
  findNear: FindNear,
): EmptyScope | undefined {
  if (item.kind === 'scopeEverything' || !namesLogs(item)) return undefined
  if (logs.some((log) => selectsLog(item, log))) return undefined
  const text = item.name.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const byFolded = foldedNames(item.of, logs)
  const nearest = findNear(text, [...byFolded.keys()])
  return {
    name: `${item.of}.${printPattern(item.name)}`,
    nearest: nearest === undefined ? null : (byFolded.get(nearest) ?? null),
  }
}

function foldedNames(of: ScopeName['of'], visibleLogs: readonly SearchableLog[]) {
  const names = visibleLogs.flatMap((log) => namesOf(of, log))
  return new Map(names.map((name) => [name.toLowerCase(), name]))
}

function namesOf(of: ScopeName['of'], log: SearchableLog): readonly string[] {
  switch (of) {
    case 'log':
      return [log.name, logPathKey(log.folder, log.name)]
    case 'folder':
      return log.folder
    case 'apptag':
      return log.appTags
    case 'type':
      return log.typeWords
    case 'server':
    case 'file':
      return []
  }
}
