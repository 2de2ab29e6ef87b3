// Shapes of the messages that a filter selects (compile/shapes/shape-classes.ts): counted over the
// events in the store, within bounds of events, groups and text. Pure.
import type { CompileContext } from '../compile/compile-context.ts'
import { limitSql, planOperand, selectFrom } from '../compile/plan/event-plan.ts'
import type { EventPlan } from '../compile/plan/plan.ts'
import {
  KEY_KEPT,
  KEY_MARK,
  KEY_REGEXP,
  SHAPE_CHARACTERS,
  SHAPE_CLASSES,
} from '../compile/shapes/shape-classes.ts'
import { valueText } from '../compile/tests/operand.ts'
import { type FilterInput, makeStatement, planFilter, type Statement } from '../compile-filter.ts'
import { columnRef } from './column-ref.ts'

/** Different shapes that a read tells apart. */
export const MAX_SHAPES = 20_000

export type ShapesInput = FilterInput & {
  /** Epoch nanoseconds of the oldest event that is read; undefined: all of the window. */
  readonly fromNs: string | undefined
}

/** One row: how many events there are, counted whole. */
export function compileTotal(input: FilterInput): Statement {
  const { plan, context } = planFilter(input)
  return makeStatement(selectFrom(plan, 'count() AS total'), context, { endsEarly: false })
}

/** Epoch nanoseconds of the event that stands at this place, newest first; no row where there are
 *  fewer. */
export function compileMomentAt(input: FilterInput & { readonly place: number }): Statement {
  const { plan, context } = planFilter(input)
  const columns = 'toString(toUnixTimestamp64Nano(timestamp)) AS ns'
  const one = limitSql({ count: 1, offset: input.place }, context)
  return makeStatement(`${selectFrom(plan, columns)} ORDER BY timestamp DESC ${one}`, context)
}

/** Rows: hash of the shape, shape with its marks, whether it was cut, events, epoch nanoseconds of
 *  the first and the last one, the newest message (cut), shapes in all. The most frequent
 *  `maxShapes`. */
export function compileShapes(input: ShapesInput & { readonly maxShapes: number }): Statement {
  const { rows, context } = shapedRows(input)
  const grouped = [
    'shape',
    'isCut',
    'count() AS n',
    'min(timestamp) AS first',
    'max(timestamp) AS last',
    'argMax(text, timestamp) AS example',
  ]
  const columns = [
    ...['toString(cityHash64(shape, isCut)) AS hash', 'shape', 'isCut', 'n'],
    'toString(toUnixTimestamp64Nano(first)) AS firstNs',
    'toString(toUnixTimestamp64Nano(last)) AS lastNs',
    ...['example', 'count() OVER () AS kinds'],
  ]
  const groups = `SELECT ${grouped.join(', ')} FROM (${rows}) GROUP BY shape, isCut ${GROUP_LIMIT}`
  const limit = limitSql({ count: input.maxShapes, offset: 0 }, context)
  const sql = `SELECT ${columns.join(', ')} FROM (${groups}) ORDER BY n DESC, shape ${limit}`
  return makeStatement(sql, context, { endsEarly: false })
}

/** Rows: hash of the shape, its events. */
export function compileShapeCounts(input: ShapesInput): Statement {
  const { rows, context } = shapedRows(input)
  const sql = `SELECT toString(cityHash64(shape, isCut)) AS hash, count() AS n FROM (${rows}) GROUP BY hash ${GROUP_LIMIT}`
  return makeStatement(sql, context, { endsEarly: false })
}

const GROUP_LIMIT = `SETTINGS max_rows_to_group_by = ${MAX_SHAPES}, group_by_overflow_mode = 'any'`

export type Rows = { readonly rows: string; readonly context: CompileContext }

/** A SELECT of timestamp, received, text (cut), isCut and shape. */
export function shapedRows(input: ShapesInput): Rows {
  const { plan, context } = planFilter(input)
  const message = messageSql(plan, context)
  context.params.countTexts()
  const characters = context.params.add(String(SHAPE_CHARACTERS), 'UInt64')
  const { fromNs } = input
  const bounds =
    fromNs === undefined
      ? plan.bounds
      : [
          ...plan.bounds,
          `timestamp >= fromUnixTimestamp64Nano(${context.params.add(fromNs, 'Int64')}, 'UTC')`,
        ]
  const events = selectFrom({ ...plan, bounds }, `timestamp, received, ${message} AS whole`)
  const texts = `SELECT timestamp, received, substringUTF8(whole, 1, ${characters}) AS text, lengthUTF8(whole) > ${characters} AS isCut FROM (${events})`
  const rows = `SELECT timestamp, received, text, isCut, ${shapeSql('text', context)} AS shape FROM (${texts})`
  return { rows, context }
}

function messageSql(plan: EventPlan, context: CompileContext): string {
  const operand = planOperand(plan, columnRef('event.message'), context)
  return operand.kind === 'values' ? valueText(operand.spellings) : "''"
}

function shapeSql(text: string, { params }: CompileContext): string {
  const replaced = (sql: string, regexp: string, by: string) =>
    `replaceRegexpAll(${sql}, ${params.text(regexp)}, ${params.text(by)})`
  const marks = SHAPE_CLASSES.reduce(
    (sql, { regexp, mark }) => replaced(sql, regexp, mark),
    replaced(text, KEY_REGEXP, KEY_KEPT),
  )
  return `replaceAll(${marks}, ${params.text(KEY_MARK)}, '"')`
}
