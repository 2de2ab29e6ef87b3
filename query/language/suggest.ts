// What can stand at a place of a query that is being written: names of logs, columns and stages, or
// the values of a column. It reads only the text before the place and does not parse it: most texts
// on the way are not queries yet. Pure.
import { LEVEL_SEPARATOR, logPathKey } from '../../schemas/names/log-path.ts'
import { BUILT_IN_NAMES } from './built-in-columns.ts'
import { printQuoted, printScopeName } from './print/print-words.ts'
import { collectColumns } from './resolve/known-columns.ts'
import type { SearchableLog, SearchInput } from './search-input.ts'
import { STAGE_WORDS } from './stages/all-stages.ts'

export type SuggestionKind = 'log' | 'folder' | 'appTag' | 'column' | 'stage' | 'word'
export type Suggestion = { readonly text: string; readonly kind: SuggestionKind }

/** The text from `from` to the place is what a suggestion replaces. */
export type Suggestions = { readonly from: number } & (
  | { readonly kind: 'names'; readonly names: readonly Suggestion[] }
  /** Values of a column that begin with the prefix, as a query asks for them. */
  | {
      readonly kind: 'values'
      readonly column: string
      readonly filter: string
      /** Values of a scope are written otherwise. */
      readonly isScope: boolean
    }
)

const SCOPE =
  /(?:^|[\s(])in\s+(?:[^|()"]*,\s*)?(log|folder|app|apptag|server|host|file|source|type)\.("?)([^,|()"]*)$/
const SCOPE_START = /(?:^|[\s(])in\s+(?:[^|()"]*,\s*)?([a-z]*)$/i
/** `in last`, `in last 15 m` */
const LAST = /(?:^|[\s(])in\s+last\s+((?:\d*|\d+\s+[a-z]*|[a-z]+))$/i
/** `timestamp > now - 1` */
const TIME =
  /(?:^|[\s(])(?:event\.)?timestamp\s*(?:!=|[<>]=?|=|\sbetween\s(?:.*\sand\s)?)\s*("?)((?:n|no|now(?:\s*[-+]\s*\d*\s*[a-z]*)?|[-+@][\d+a-z@-]*)?)$/is
const STAGE = /\|\s*([a-z]*)$/i
const VALUE =
  /^(.*?)\s*(?:!=|=|\s(?:contains|starts\s+with|ends\s+with))\s*("?)([^\s"()|,=<>!]*)$/is
const WORD = /(?<![^\s"()|,=<>!])[^\s"()|,=<>!]*$/
const SCOPES = ['log.', 'folder.', 'app.', 'server.', 'file.', 'type.']
const LENGTHS = ['15 minutes', '1 hour', '24 hours', '7 days', '1 month']
const UNITS = ['minutes', 'hours', 'days', 'weeks', 'months']
const TIMES = ['now - 15m', 'now - 1h', 'now - 24h', 'now - 7d', '@d', '-1d@d']
const WORDS = ['and', 'or', 'not', 'in']
const LONGEST_NAME_WORDS = 8
/** As many as `limit` of the call may be: of 100,000 columns not all are sorted. */
const MAX_NAMES = 100
/** No further back than this: the patterns take time by the square of it. */
const FAR = 1000

export function suggest(
  { text, visibleLogs, columns }: Pick<SearchInput, 'text' | 'visibleLogs' | 'columns'>,
  place: number,
): Suggestions {
  const before = text.slice(0, place)
  const near = before.slice(-FAR)
  const scope = SCOPE.exec(near)
  if (scope) return suggestScope(before, scope, visibleLogs)
  const start = SCOPE_START.exec(near)
  if (start)
    return names(
      before,
      start[1] ?? '',
      [...SCOPES, 'last'].map((word) => ({ text: word, kind: 'word' })),
    )
  const last = LAST.exec(near)
  if (last) return suggestLength(before, last[1] ?? '')
  const time = TIME.exec(near)
  if (time) return suggestTime(before, time)
  const stage = STAGE.exec(near)
  if (stage) {
    const words = [...new Set(STAGE_WORDS)].map((text) => ({ text, kind: 'stage' }) as const)
    return names(before, stage[1] ?? '', words)
  }
  const known = [
    ...BUILT_IN_NAMES,
    ...[...collectColumns(visibleLogs, columns).values()].map(({ name }) => name),
  ]
  const value = VALUE.exec(near)
  const column = value ? columnAtEnd(value[1] ?? '', known) : undefined
  if (value && column !== undefined) {
    const [, , quote = '', prefix = ''] = value
    return valuesOf(before, column, { quote, prefix, isScope: false })
  }
  const [word = ''] = WORD.exec(near) ?? []
  return names(before, word, [
    ...[...new Set(known)].map((text) => ({ text, kind: 'column' }) as const),
    ...WORDS.map((text) => ({ text, kind: 'word' }) as const),
  ])
}

/** After a number its units. */
function suggestLength(before: string, begun: string): Suggestions {
  const [number] = /^\d+\s+/.exec(begun) ?? []
  const all = number === undefined ? LENGTHS : UNITS.map((unit) => `${number}${unit}`)
  return inOrder(before, begun, all)
}

function suggestTime(before: string, [, quote = '', begun = '']: RegExpExecArray): Suggestions {
  return inOrder(before, quote + begun, quote === '' ? TIMES : TIMES.map(printQuoted))
}

function suggestScope(
  before: string,
  [, prefix = '', quote = '', begun = '']: RegExpExecArray,
  logs: readonly SearchableLog[],
): Suggestions {
  switch (prefix) {
    case 'server':
    case 'host':
      return valuesOf(before, 'host', { quote, prefix: begun, isScope: true })
    case 'file':
    case 'source':
      return valuesOf(before, 'source', { quote, prefix: begun, isScope: true })
    case 'log': {
      const found = logs.flatMap(({ folder, name }) => [name, logPathKey(folder, name)])
      return names(before, quote + begun, scoped(found, 'log'))
    }
    case 'folder': {
      const found = logs.flatMap(({ folder }) =>
        folder.map((_, depth) => folder.slice(0, depth + 1).join(LEVEL_SEPARATOR)),
      )
      return names(before, quote + begun, scoped(found, 'folder'))
    }
    case 'type':
      return names(
        before,
        quote + begun,
        scoped(
          logs.flatMap(({ typeWords }) => typeWords),
          'word',
        ),
      )
    default:
      return names(
        before,
        quote + begun,
        scoped(
          logs.flatMap(({ appTags }) => appTags),
          'appTag',
        ),
      )
  }
}

function scoped(found: readonly string[], kind: SuggestionKind): Suggestion[] {
  return [...new Set(found)].map((name) => ({ text: printScopeName(name), kind }))
}

/** The first ones in the order of letters. */
function names(before: string, begun: string, all: readonly Suggestion[]): Suggestions {
  const prefix = begun.toLowerCase().replace(/^"/, '')
  const first: { readonly folded: string; readonly suggestion: Suggestion }[] = []
  for (const suggestion of all) {
    const folded = suggestion.text.toLowerCase()
    if (!folded.startsWith(prefix, folded.startsWith('"') ? 1 : 0)) continue
    const last = first.at(-1)
    if (first.length >= MAX_NAMES && last !== undefined && folded >= last.folded) continue
    let [at, end] = [0, first.length]
    while (at < end) {
      const middle = (at + end) >> 1
      if ((first[middle]?.folded ?? '') < folded) at = middle + 1
      else end = middle
    }
    first.splice(at, 0, { folded, suggestion })
    if (first.length > MAX_NAMES) first.pop()
  }
  const found = first.map(({ suggestion }) => suggestion)
  return { kind: 'names', from: before.length - begun.length, names: found }
}

/** The shortest first, not in the order of letters. */
function inOrder(before: string, begun: string, all: readonly string[]): Suggestions {
  const folded = begun.toLowerCase()
  const names = all
    .filter((text) => text.toLowerCase().startsWith(folded))
    .map((text) => ({ text, kind: 'word' }) as const)
  return { kind: 'names', from: before.length - begun.length, names }
}

function valuesOf(
  before: string,
  column: string,
  { quote, prefix, isScope }: { quote: string; prefix: string; isScope: boolean },
): Suggestions {
  const filter = prefix === '' ? '*' : `${printQuoted(column)} starts with ${printQuoted(prefix)}`
  return {
    kind: 'values',
    from: before.length - quote.length - prefix.length,
    column,
    filter,
    isScope,
  }
}

/** The longest ending that is a known column, else the last word (search-language#column-tests). */
function columnAtEnd(text: string, known: readonly string[]): string | undefined {
  const quoted = /"((?:[^"\\]|\\.)*)"$/.exec(text)
  if (quoted) return quoted[1]
  const words = text.split(/[\s"()|,=<>!]+/).filter((word) => word !== '')
  const folded = new Set(known.map((name) => name.toLowerCase()))
  for (let count = Math.min(LONGEST_NAME_WORDS, words.length); count > 0; count -= 1) {
    const name = words.slice(-count).join(' ')
    if (folded.has(name.toLowerCase())) return name
  }
  return words.at(-1)
}
