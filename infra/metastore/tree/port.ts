// Folders, logs and the names of their columns, from memory over the database.
import type { NamedAppTag } from '../../../schemas/app-tag.ts'
import type { LogDefinition } from '../../../schemas/log-definition.ts'
import type { ReadSourceQuery } from '../tags/source-query.ts'

export type FolderRecord = {
  readonly id: number
  readonly parentId: number | null
  readonly name: string
  readonly description: string
}

export type LogRecord = {
  readonly id: number
  readonly folderId: number
  /** Folder levels from the root, without ROOT. */
  readonly folder: readonly string[]
  readonly name: string
  /** Listener account that made it; null for ours (System). */
  readonly accountId: number | null
  readonly policyId: number
  /** Of what `tree()` gives: also those that it has as a member of a tag (docs/decisions/0043). */
  readonly appTags: readonly string[]
  readonly typeWords: readonly string[]
  readonly description: string
  /** What an operator says of it; of most logs nothing. */
  readonly definition: LogDefinition
}

/** One column name as first spelled in one log, in order of first sight
 *  (search-language#the-result-of-a-simple-search). */
export type ColumnRecord = {
  readonly logId: number
  /** Path in the JSON column, keys joined with '.'. */
  readonly name: string
  /** Where values of it may live: 'text' LowCardinality(String) or String, 'number' Float64 or
   *  String, 'bool' Bool, 'id' the text column `ids`. One record a kind. */
  readonly kind: 'text' | 'number' | 'bool' | 'id'
  /** Rises with first sight inside one log. */
  readonly position: number
}

export type NewColumn = Omit<ColumnRecord, 'position'>

/** Words of types that events of a log named (decision 3.9). */
export type NewTypeWords = { readonly logId: number; readonly words: readonly string[] }

export type Tree = {
  readonly folders: ReadonlyMap<number, FolderRecord>
  readonly logs: ReadonlyMap<number, LogRecord>
  /** By `logPathKey(folder, name)` of schemas/names/log-path.ts. */
  readonly logsByPath: ReadonlyMap<string, LogRecord>
  /** Logs that were removed and have not been made again, by the same key. Only for who repeats
   *  what was done before the removal. */
  readonly removedLogsByPath: ReadonlyMap<string, LogRecord>
}

export type NewLog = {
  readonly folder: readonly string[]
  readonly name: string
  readonly accountId: number | null
  readonly policyId: number
  readonly appTags: readonly string[]
  readonly typeWords: readonly string[]
  /** Hour of receipt (epoch ms / 3,600,000) that the guard of decision 3.5 counts by. */
  readonly receivedHour: number
}

export interface LogTree {
  /** Current as of this call (one cheap version read, then memory). */
  tree(): Promise<Tree>
  /** An app tag that says more than its name, from memory. */
  tag(name: string): NamedAppTag | undefined
  /** Who reads source queries of app tags in this process; until then none has members. */
  readSourceQueriesBy(readQuery: ReadSourceQuery): void
  /** Columns of these logs, by log, in order of first sight. */
  columns(logIds: Iterable<number>): Promise<ReadonlyMap<number, readonly ColumnRecord[]>>
  /** Makes folders and logs in one transaction; a path that exists is returned as it is. Same order
   *  as asked. */
  addLogs(logs: readonly NewLog[]): Promise<readonly LogRecord[]>
  /** Logs of the account altogether, and those made in that hour of receipt. */
  countLogs(accountId: number, receivedHour: number): Promise<{ total: number; inHour: number }>
  /** Known triples are ignored; order given is order of first sight. */
  addColumns(columns: readonly NewColumn[]): Promise<void>
  /** Known words are passed over, and those for which a log has no room (`newTypeWords`). */
  addTypeWords(found: readonly NewTypeWords[]): Promise<void>
}
