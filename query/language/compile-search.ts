// From the text of a query to SQL: the one entry for a search. Pure.
import { Failure } from '../../schemas/failures.ts'
import type { CompiledSearch } from './compiled.ts'

/** A log that the user may see. Shape of infra/metastore LogRecord. */
export type SearchableLog = {
  readonly id: number
  readonly folder: readonly string[]
  readonly name: string
  readonly appTags: readonly string[]
  readonly typeWords: readonly string[]
}

/** Shape of infra/metastore ColumnRecord. */
export type KnownColumn = {
  readonly logId: number
  readonly name: string
  readonly kind: 'text' | 'number' | 'bool' | 'id'
  readonly position: number
}

export type SearchInput = {
  readonly text: string
  /** All logs that the user may see, and no others: the SQL reads nothing else, whatever the text says. */
  readonly visibleLogs: readonly SearchableLog[]
  /** Columns of (at least) the logs that `candidateLogs` named. */
  readonly columns: ReadonlyMap<number, readonly KnownColumn[]>
  /** start <= timestamp < end, epoch milliseconds; null for an open side (allData). */
  readonly window: { readonly startMs: number | null; readonly endMs: number | null }
  /** Java letters, settings system.dateFormat and system.timeZone (IANA). */
  readonly dateFormat: string
  readonly timeZone: string
  /** Rows at most (maxNumOfRecords). */
  readonly maxRows: number
}

/** Ids of the logs whose columns compileSearch needs: cheap, does not fail for a query that does not parse. */
export function candidateLogs(
  _text: string,
  visibleLogs: readonly SearchableLog[],
): readonly number[] {
  return visibleLogs.map((log) => log.id)
}

/** Throws Failure `search.query` { position (from 1), reason }. */
export function compileSearch(_input: SearchInput): CompiledSearch {
  throw new Failure('search.query', { position: 1, reason: 'not built yet' })
}
