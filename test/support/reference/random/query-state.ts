// What rows and columns a random query has so far.
import type { ColumnKind, QueryColumn } from './query-columns.ts'

export type State = {
  rows: 'events' | 'table'
  columns: QueryColumn[]
  /** Parsed columns were replaced or added: words are not asked for any more. */
  hasChanged: boolean
  intervals: readonly string[]
  /** Names given so far. */
  aliases: number
  /** A filter without scope over the columns. */
  condition: () => string
}

export function ofKinds(state: State, kinds: readonly ColumnKind[]): QueryColumn[] {
  return state.columns.filter(({ kind }) => kinds.includes(kind))
}

/** Every third has several words, or parentheses. */
export function aliasFor(state: State, prefix: string): string {
  const name = wordFor(state, prefix)
  const more = state.aliases % 6 === 0 ? ' (ms)' : ' of all'
  return state.aliases % 3 === 0 ? `${name}${more}` : name
}

/** One word. */
export function wordFor(state: State, prefix: string): string {
  state.aliases += 1
  return `${prefix}${state.aliases}`
}
