// The cells of one event as they are printed (search-language#built-in-columns).

import { isWholeEvent, rebuildRaw } from '../../../schemas/event-layout.ts'
import { printFolder } from '../../../schemas/names/log-path.ts'
import type { BuiltInColumn } from '../../language/built-in-columns.ts'
import { type EventCell, type EventRow, readParsedCell } from '../../language/compiled.ts'
import { type CellStyle, formatTime } from './cell-text.ts'

/** What a row's log id stands for. */
export type LogNames = {
  readonly name: string
  readonly folder: readonly string[]
  readonly appTags: readonly string[]
}

export function readEventCell(
  row: EventRow,
  cell: EventCell,
  logs: ReadonlyMap<number, LogNames>,
  style: CellStyle,
): string {
  switch (cell.kind) {
    case 'builtIn':
      return readBuiltInCell(row, cell.column, logs, style)
    case 'parsed':
      return readParsedCell(row, cell.column)
    case 'text':
      return row.texts[cell.index] ?? ''
  }
}

export function readBuiltInCell(
  row: EventRow,
  column: BuiltInColumn,
  logs: ReadonlyMap<number, LogNames>,
  style: CellStyle,
): string {
  const log = logs.get(row.logId)
  switch (column) {
    case 'timestamp':
      return formatTime(timestampMs(row), style, nanosecondOf(row))
    case 'log':
      return log?.name ?? ''
    case 'folder':
      return log === undefined ? '' : printFolder(log.folder)
    case 'host':
      return row.host
    case 'source':
      return row.source
    case 'apptags':
      return log?.appTags.join(', ') ?? ''
    case 'message':
      return isWholeEvent(row.layout) ? rawOf(row) : row.message
    case 'raw':
      return rawOf(row)
    case 'size':
      return String(row.size)
  }
}

function timestampMs(row: EventRow): number {
  return Number(row.timestampNs.slice(0, -6))
}

/** Below the millisecond. */
function nanosecondOf(row: EventRow): number {
  return Number(row.timestampNs.slice(-6))
}

/** The event's bytes as text. */
export function rawOf(row: EventRow): string {
  return rebuildRaw({
    layout: row.layout,
    raw: row.raw,
    message: row.message,
    host: row.host,
    timestampMs: timestampMs(row),
    timestampNanos: nanosecondOf(row),
    column: (name) => row.columns.get(name),
  })
}
