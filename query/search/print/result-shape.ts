// How the rows of a result are printed, fixed by the call that made it (decision 4.6): kept beside
// a stored result as JSON.
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import type { CompiledSearch, EventCell, OutputColumn } from '../../language/compiled.ts'
import type { CellStyle } from './cell-text.ts'
import { shownCells } from './event-table.ts'

export type ResultShape = {
  readonly version: typeof VERSION
  readonly dateFormat: string
  readonly timeZone: string
  readonly rows:
    | { readonly kind: 'events'; readonly cells: readonly EventCell[] }
    | { readonly kind: 'table'; readonly columns: readonly OutputColumn[] }
}

/** To be raised when what is kept changes its meaning: results of an older version are then lost,
 *  as after their time. */
const VERSION = 1

/** `names`: spellings of the parsed columns that some row has; of the others nothing is shown
 *  (search-language#the-result-of-a-simple-search). */
export function shapeOf(
  compiled: CompiledSearch,
  names: ReadonlySet<string>,
  { dateFormat, zone }: CellStyle,
): ResultShape {
  const style = { version: VERSION, dateFormat: dateFormat.pattern, timeZone: zone.name } as const
  if (compiled.kind === 'table')
    return { ...style, rows: { kind: 'table', columns: compiled.columns } }
  const cells = shownCells(compiled).filter(
    (cell) => cell.kind !== 'parsed' || cell.column.spellings.some((name) => names.has(name)),
  )
  return { ...style, rows: { kind: 'events', cells } }
}

/** Undefined when it was kept by another version, or is being made. */
export function readShape(json: string): ResultShape | undefined {
  if (json === '') return undefined
  const shape: ResultShape = JSON.parse(json)
  return shape.version === VERSION ? shape : undefined
}

export function styleOf(shape: Pick<ResultShape, 'dateFormat' | 'timeZone'>): CellStyle {
  return { dateFormat: compileDateFormat(shape.dateFormat), zone: timeZone(shape.timeZone) }
}

export function columnsOf({ rows }: ResultShape): readonly string[] {
  return rows.kind === 'table'
    ? rows.columns.map(({ name }) => name)
    : rows.cells.map(({ name }) => name)
}
