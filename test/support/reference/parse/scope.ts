// Scopes (search-language#scopes): `in log.a, folder.B->C not in host.d`.
import type { Pattern, Scope, ScopeItem, ScopeKind } from '../tree.ts'
import { addPart, type Reader } from './reader.ts'
import { lastAt } from './relative.ts'

const KINDS: Readonly<Record<string, ScopeKind>> = {
  log: 'log',
  folder: 'folder',
  apptag: 'apptag',
  app: 'apptag',
  server: 'server',
  host: 'server',
  file: 'file',
  source: 'file',
  type: 'type',
}
const ITEM = /\s*(?:\*(?![^\s,|)\]])|(log|folder|apptag|app|server|host|file|source|type)\.)/iy

/** The place of `in` or `not in` before an item, or null. */
export function isScopeAt(reader: Reader, at: number): boolean {
  const after = reader.afterWords('in', at) ?? reader.afterWords('not in', at)
  if (after === null) return false
  ITEM.lastIndex = after
  return ITEM.test(reader.text)
}

export function parseScope(reader: Reader): Scope {
  const include: ScopeItem[] = reader.takesWords('in') ? parseItems(reader) : []
  const exclude: ScopeItem[] = []
  while (isScopeAt(reader, reader.at) && reader.takesWords('not in'))
    exclude.push(...parseItems(reader))
  return { include, exclude }
}

function parseItems(reader: Reader): ScopeItem[] {
  const items: ScopeItem[] = []
  do {
    const found = reader.match(ITEM)
    if (!found) reader.refuse('log., folder., apptag., server., file., type. or * is expected')
    const of = KINDS[found?.[1]?.toLowerCase() ?? '']
    items.push(
      of ? { kind: 'scopeName', of, name: parseName(reader) } : { kind: 'scopeEverything' },
    )
  } while (reader.takesSign(','))
  return items
}

/** A quoted one has no wildcards. */
function parseName(reader: Reader): Pattern {
  if (reader.text[reader.at] === '"') {
    const parts: { kind: 'text'; text: string }[] = []
    addPart(parts, reader.expectQuoted('a name'))
    return parts
  }
  const name = reader.takesRaw(',|)(', (at) => isEndOfName(reader, at))
  if (name.length === 0) reader.refuse('a name is expected')
  if (reader.isSign('(')) reader.refuse('a name with ( must be quoted')
  return name
}

function isEndOfName(reader: Reader, at: number): boolean {
  const isWord = ['and', 'or', 'not'].some((word) => reader.afterWords(word, at) !== null)
  return isWord || isScopeAt(reader, at) || lastAt(reader, at) !== null
}
