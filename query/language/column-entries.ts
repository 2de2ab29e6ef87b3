// What is known of the columns of a set of logs.
import type { KnownColumn } from './search-input.ts'

export type ColumnKind = KnownColumn['kind']
export type Spelling = { readonly path: string; readonly kinds: ReadonlySet<ColumnKind> }
/** Spellings in order of first sight: the value of a row is that of the first spelling it has. */
export type ColumnEntry = { readonly name: string; readonly spellings: readonly Spelling[] }
/** By name in lower case, in order of first sight. */
export type ColumnEntries = ReadonlyMap<string, ColumnEntry>

export type ColumnsByLog = ReadonlyMap<number, readonly KnownColumn[]>
