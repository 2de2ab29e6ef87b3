// Tells what a query means and which of its names are unknown, for a user who wonders why it finds
// nothing. It knows only what the user may see: a name that the user may not see does not exist.
// Pure.

import type { ColumnEntries } from './column-entries.ts'
import { resolveColumn } from './compile/columns/event-columns.ts'
import { nearestWord } from './nearest-word.ts'
import { printFilter, printQuery } from './print/print-query.ts'
import { readQuery } from './read-query.ts'
import { collectColumns } from './resolve/known-columns.ts'
import { type EmptyScope, emptyScope } from './resolve/scope-names.ts'
import { searchedLogs } from './resolve/select-logs.ts'
import type { SearchableLog, SearchInput } from './search-input.ts'
import type { ColumnRef, Filter, Query, ScopeItem, Stage } from './tree.ts'

/** Pairs of names that one explanation compares, in a third of a second at most; names after that
 *  have no near one. */
const MAX_COMPARED = 100_000

export type QueryExplanation = {
  /** Printed back. */
  readonly query: string
  /** Without its stages; null: the source is a transaction. */
  readonly filter: string | null
  readonly logsInScope: readonly SearchableLog[]
  readonly columns: readonly ExplainedName[]
  /** Parts of scopes that select no log, as printed. */
  readonly emptyScopes: readonly EmptyScope[]
}

export type ExplainedName = {
  readonly name: string
  readonly isKnown: boolean
  /** A known name near to one that is not. */
  readonly nearest: string | null
}

/** Throws Failure `search.query`. */
export function explainQuery(
  input: Pick<SearchInput, 'text' | 'read' | 'visibleLogs' | 'columns'>,
): QueryExplanation {
  const { visibleLogs, columns } = input
  const { query } = readQuery(input)
  const filter = filterOf(query)
  const logs = filter === undefined ? visibleLogs : searchedLogs(filter, visibleLogs)
  const entries = collectColumns(logs, columns)
  const refs = [
    ...(filter === undefined ? [] : testedColumns(filter)),
    ...readColumns(query.stages),
  ]
  const scopes = filter === undefined ? [] : scopeItems(filter)
  const near = new NearNames()
  return {
    query: printQuery(query),
    filter: filter === undefined ? null : printFilter(filter),
    logsInScope: logs,
    columns: explainColumns(refs, entries, near),
    emptyScopes: explainScopes(scopes, visibleLogs, near),
  }
}

/** Near names, as long as the comparisons last. */
class NearNames {
  #left = MAX_COMPARED

  /** `known` in lower case. */
  find(word: string, known: readonly string[]): string | undefined {
    const compared = known.length <= this.#left ? known : known.slice(0, this.#left)
    this.#left -= compared.length
    return nearestWord(word, compared)
  }
}

function filterOf({ source }: Query): Filter | undefined {
  return source.kind === 'transaction' ? undefined : source.filter
}

function testedColumns(filter: Filter): ColumnRef[] {
  switch (filter.kind) {
    case 'test':
      return filter.check.kind === 'column' ? [filter.column, filter.check.column] : [filter.column]
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

/** Columns of events that stages read, up to the first stage after which rows have other
 *  columns. */
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

function explainColumns(
  refs: readonly ColumnRef[],
  entries: ColumnEntries,
  near: NearNames,
): ExplainedName[] {
  const explained = new Map<string, ExplainedName>()
  const known = [...entries.keys()]
  for (const ref of refs) {
    const key = `${ref.origin} ${ref.name.toLowerCase()}`
    if (ref.name === '' || explained.has(key)) continue
    const isKnown = resolveColumn(ref, entries).kind !== 'unknown'
    const nearest = isKnown ? undefined : near.find(ref.name, known)
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

function explainScopes(
  items: readonly ScopeItem[],
  visibleLogs: readonly SearchableLog[],
  near: NearNames,
): EmptyScope[] {
  const explained = new Map<string, EmptyScope>()
  for (const item of items) {
    const empty = emptyScope(item, visibleLogs, (word, known) => near.find(word, known))
    if (empty !== undefined && !explained.has(empty.name)) explained.set(empty.name, empty)
  }
  return [...explained.values()]
}
