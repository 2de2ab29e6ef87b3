// Scopes (search-language#scopes): which logs and events they select, and the columns that
// their events can have.

import type { ReferenceEvent, ReferenceLog, World } from './run/model.ts'
import { matchesWhole } from './text.ts'
import type { Filter, Scope, ScopeItem } from './tree.ts'

export const BUILT_INS = new Map(
  Object.entries({
    timestamp: 'timestamp',
    date: 'timestamp',
    log: 'log',
    folder: 'folder',
    host: 'host',
    server: 'host',
    source: 'source',
    file: 'source',
    apptags: 'apptags',
    apptag: 'apptags',
    app: 'apptags',
    message: 'message',
    raw: 'raw',
    size: 'size',
  }),
)

export function isInScope({ include, exclude }: Scope, event: ReferenceEvent): boolean {
  const isIncluded = include.length === 0 || include.some((item) => isInItem(item, event))
  return isIncluded && !exclude.some((item) => isInItem(item, event))
}

function isInItem(item: ScopeItem, { log, host, source }: ReferenceEvent): boolean {
  if (item.kind === 'scopeEverything') return true
  if (item.of === 'server') return matchesWhole(item.name, host, false)
  if (item.of === 'file') return matchesWhole(item.name, source, false)
  return isLogInItem(item, log)
}

function isLogInItem(item: ScopeItem, log: ReferenceLog): boolean {
  if (item.kind === 'scopeEverything') return true
  const isPath = item.name.some((part) => part.kind === 'text' && part.text.includes('->'))
  const matches = (name: string) => matchesWhole(item.name, name, false)
  switch (item.of) {
    case 'log':
      return matches(isPath ? [...log.folder, log.name].join('->') : log.name)
    case 'folder':
      if (item.name.length === 1 && item.name[0]?.kind === 'text' && item.name[0].text === 'ROOT')
        return true
      return log.folder.some((level, depth) =>
        matches(isPath ? log.folder.slice(0, depth + 1).join('->') : level),
      )
    case 'apptag':
      return log.appTags.some(matches)
    case 'type':
      return log.typeWords.some(matches)
    case 'server':
    case 'file':
      return true
  }
}

const ofHosts = (item: ScopeItem) =>
  item.kind === 'scopeName' && (item.of === 'server' || item.of === 'file')

export function logsOfScope({ include, exclude }: Scope, logs: readonly ReferenceLog[]) {
  return logs.filter((log) => {
    const isIncluded = include.length === 0 || include.some((item) => isLogInItem(item, log))
    return isIncluded && !exclude.some((item) => !ofHosts(item) && isLogInItem(item, log))
  })
}

/** Logs that events which pass can come from, as far as the scopes of the filter say. */
export function logsOfFilter(
  filter: Filter,
  logs: readonly ReferenceLog[],
): readonly ReferenceLog[] {
  switch (filter.kind) {
    case 'scoped':
      return logsOfFilter(filter.operand, logsOfScope(filter.scope, logs))
    case 'and':
      return filter.operands.reduce((left, operand) => logsOfFilter(operand, left), logs)
    case 'or': {
      const parts = filter.operands.map((operand) => logsOfFilter(operand, logs))
      return logs.filter((log) => parts.some((part) => part.includes(log)))
    }
    default:
      return logs
  }
}

/** Every name in any letter case once, as first spelled, with all spellings; by log, then by first
 *  sight (search-language#the-result-of-a-simple-search). */
export function spellingsOf(
  logs: readonly ReferenceLog[],
  names: World['names'],
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id } of [...logs].sort((a, b) => a.id - b.id)) {
    for (const name of names.get(id) ?? []) {
      const known = found.get(name.toLowerCase())
      if (!known) found.set(name.toLowerCase(), [name])
      else if (!known.includes(name)) known.push(name)
    }
  }
  return found
}
