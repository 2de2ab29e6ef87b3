// Names to columns of events: built-in ones first, then parsed ones of the logs
// (search-language#built-in-columns).

import { WHOLE_LAYOUT } from '../../../../schemas/event-layout.ts'
import { printFolder } from '../../../../schemas/names/log-path.ts'
import { type BuiltInColumn, builtInColumn } from '../../built-in-columns.ts'
import type { ColumnEntries, ColumnEntry } from '../../column-entries.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { SearchableLog } from '../../search-input.ts'
import type { ColumnRef } from '../../tree.ts'
import { maskedValueSql } from '../plan/masked-events.ts'
import type { SqlParams } from '../sql-params.ts'
import { NO_COLUMN, type Operand, textOperand } from '../tests/operand.ts'
import { spellingSources, type ValueSource } from './column-sql.ts'

/** An event taken whole has its text in `raw`. */
const MESSAGE_SQL = `if(startsWith(layout, '${WHOLE_LAYOUT}'), raw, message)`

export type ResolvedColumn =
  | { readonly kind: 'builtIn'; readonly column: BuiltInColumn }
  | { readonly kind: 'parsed'; readonly entry: ColumnEntry }
  | { readonly kind: 'unknown' }

/** Unknown columns are no error: logs differ (search-language#failures). */
export function resolveColumn(ref: ColumnRef, entries: ColumnEntries): ResolvedColumn {
  const builtIn = ref.origin === 'parsed' ? undefined : builtInColumn(ref.name)
  if (builtIn) return { kind: 'builtIn', column: builtIn }
  if (ref.origin === 'builtIn')
    return raiseQuery('there is no built-in column of this name', ref.start)
  const name = ref.name.toLowerCase()
  const said = ref.origin === 'parsed' ? entries.get(`column.${name}`) : undefined
  const entry = entries.get(name) ?? said
  return entry ? { kind: 'parsed', entry } : { kind: 'unknown' }
}

/** `raw` is refused (search-language#built-in-columns). */
export function eventOperand(
  ref: ColumnRef,
  { entries, logs }: { readonly entries: ColumnEntries; readonly logs: readonly SearchableLog[] },
  params: SqlParams,
  read: 'masked' | ((column: string) => string | undefined),
): Operand {
  const resolved = resolveColumn(ref, entries)
  if (resolved.kind === 'unknown') return NO_COLUMN
  if (resolved.kind === 'parsed') {
    const spellings = resolved.entry.spellings.map((spelling): ValueSource[] =>
      read === 'masked'
        ? [{ kind: 'text', sql: maskedValueSql(params.text(spelling.path)) }]
        : spellingSources(spelling, params, read),
    )
    return { kind: 'values', spellings }
  }
  switch (resolved.column) {
    case 'timestamp':
      return { kind: 'date', sql: 'timestamp', unitsPerMs: 1_000_000 }
    case 'log':
      return { kind: 'perLog', logs, textsOf: (log) => [log.name] }
    case 'folder':
      return { kind: 'perLog', logs, textsOf: (log) => [printFolder(log.folder)] }
    case 'apptags':
      return { kind: 'perLog', logs, textsOf: (log) => log.appTags }
    case 'host':
      return textOperand('host')
    case 'source':
      return textOperand('source')
    case 'message':
      params.countTexts()
      return textOperand(MESSAGE_SQL)
    case 'size':
      return { kind: 'size', sql: 'size' }
    case 'raw':
      return raiseQuery('raw may be shown, not tested, sorted or grouped by', ref.start)
  }
}
