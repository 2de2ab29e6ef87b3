// What a query means and what of it is not known: for the user who wonders why it finds nothing. Only what the user may see is
// known here; a name that is not told of is one that does not exist. Pure.
import { logPathKey } from '../../schemas/log-path.ts'
import { resolveColumn } from './compile/event-columns.ts'
import { nearestWord } from './nearest-word.ts'
import { parseQuery } from './parse-query.ts'
import { printFilter, printQuery } from './print-query.ts'
import { printPattern } from './print-words.ts'
import { type ColumnEntries, collectColumns, makeCatalog } from './resolve/known-columns.ts'
import { logsOfFilter, namesLogs, selectsLog } from './resolve/select-logs.ts'
import type { SearchableLog, SearchInput } from './search-input.ts'
import type { ColumnRef, Filter, Query, ScopeItem, ScopeName, Stage } from './tree.ts'

/** Unknown names for which a near one is looked for, each among all columns. */
const MAX_NEAREST = 50

export type QueryExplanation = {
  /** Printed back. */
  readonly query: string
  /** Without its stages; null: the source is a transaction. */
  readonly filter: string | null
  readonly logsInScope: readonly SearchableLog[]
  readonly columns: readonly ExplainedName[]
  /** Parts of scopes that select no log, as printed. */
  readonly emptyScopes: readonly { readonly name: string; readonly nearest: string | null }[]
}

export type ExplainedName = {
  readonly name: string
  readonly isKnown: boolean
  /** A known name near to one that is not. */
  readonly nearest: string | null
}

/** Throws Failure `search.query`. */
export function explainQuery(
  input: Pick<SearchInput, 'text' | 'visibleLogs' | 'columns'>,
): QueryExplanation {
  const { visibleLogs, columns } = input
  const query = parseQuery(input.text, makeCatalog(visibleLogs, columns))
  const filter = filterOf(query)
  const logs = filter === undefined ? visibleLogs : logsOfFilter(filter, visibleLogs)
  const entries = collectColumns(logs, columns)
  const refs = [
    ...(filter === undefined ? [] : testedColumns(filter)),
    ...readColumns(query.stages),
  ]
  const scopes = filter === undefined ? [] : scopeItems(filter)
  return {
    query: printQuery(query),
    filter: filter === undefined ? null : printFilter(filter),
    logsInScope: logs,
    columns: explainColumns(refs, entries),
    emptyScopes: scopes.flatMap((item) => explainScope(item, visibleLogs)),
  }
}

function filterOf({ source }: Query): Filter | undefined {
  return source.kind === 'transaction' ? undefined : source.filter
}

function testedColumns(filter: Filter): ColumnRef[] {
  switch (filter.kind) {
    case 'test':
      return [filter.column]
    case 'not':
    case 'scoped':
      return testedColumns(filter.operand)
    case 'and':
    case 'or':
      return filter.operands.flatMap(testedColumns)
    case 'everything':
    case 'word':
    case 'phrase':
      return []
  }
}

/** Columns of events that stages read, up to the first stage behind which rows have other columns. */
function readColumns(stages: readonly Stage[]): ColumnRef[] {
  const columns: ColumnRef[] = []
  for (const [at, stage] of stages.entries()) {
    switch (stage.kind) {
      case 'functions': {
        const groupBy = stages[at + 1]
        const calls = stage.functions.flatMap(({ column, condition }) => [
          ...(column === null ? [] : [column]),
          ...(condition === null ? [] : testedColumns(condition)),
        ])
        return [...columns, ...calls, ...(groupBy?.kind === 'groupBy' ? keysOf(groupBy) : [])]
      }
      case 'groupBy':
        return [...columns, ...keysOf(stage)]
      case 'where':
        columns.push(...testedColumns(stage.filter))
        break
      case 'orderBy':
        columns.push(...stage.keys.map(({ column }) => column))
        break
      case 'dedup':
        columns.push(...stage.columns)
        break
      case 'limit':
      case 'percentileCut':
        break
      case 'list':
        return [...columns, ...stage.items.map(({ column }) => column)]
      default:
        return columns
    }
  }
  return columns
}

function keysOf(stage: Stage & { kind: 'groupBy' }): ColumnRef[] {
  return stage.keys.map(({ column }) => column)
}

function explainColumns(refs: readonly ColumnRef[], entries: ColumnEntries): ExplainedName[] {
  const explained = new Map<string, ExplainedName>()
  const known = [...entries.keys()]
  let unknown = 0
  for (const ref of refs) {
    const key = `${ref.origin} ${ref.name.toLowerCase()}`
    if (ref.name === '' || explained.has(key)) continue
    const isKnown = resolveColumn(ref, entries).kind !== 'unknown'
    if (!isKnown) unknown += 1
    const isLookedFor = !isKnown && unknown <= MAX_NEAREST
    const nearest = isLookedFor ? nearestWord(ref.name, known) : undefined
    const name = nearest === undefined ? undefined : entries.get(nearest)?.name
    explained.set(key, { name: ref.name, isKnown, nearest: name ?? null })
  }
  return [...explained.values()]
}

function scopeItems(filter: Filter): ScopeItem[] {
  switch (filter.kind) {
    case 'scoped':
      return [...filter.scope.include, ...scopeItems(filter.operand)]
    case 'not':
      return scopeItems(filter.operand)
    case 'and':
    case 'or':
      return filter.operands.flatMap(scopeItems)
    case 'everything':
    case 'word':
    case 'phrase':
    case 'test':
      return []
  }
}

function explainScope(item: ScopeItem, visibleLogs: readonly SearchableLog[]) {
  if (item.kind === 'scopeEverything' || !namesLogs(item)) return []
  if (visibleLogs.some((log) => selectsLog(item, log))) return []
  const text = item.name.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const known = new Set(visibleLogs.flatMap((log) => namesOf(item.of, log)))
  const byFolded = new Map([...known].map((name) => [name.toLowerCase(), name]))
  const nearest = nearestWord(text, [...byFolded.keys()])
  const name = `${item.of}.${printPattern(item.name)}`
  return [{ name, nearest: nearest === undefined ? null : (byFolded.get(nearest) ?? null) }]
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
