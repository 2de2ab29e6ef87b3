// Kinds of the events that a filter selects: shapes of messages, or values of a column (without
// letter case, as `group by` tells them apart). For monitors that tell what is new. Pure.
import { foldExpression } from '../../../schemas/store/text-index.ts'
import { planOperand, selectFrom } from '../compile/plan/event-plan.ts'
import { valueText } from '../compile/tests/operand.ts'
import { type FilterInput, makeStatement, planFilter, type Statement } from '../compile-filter.ts'
import { raiseQuery } from '../parse/raise-query.ts'
import { columnRef } from './column-ref.ts'
import { type Rows, shapedRows } from './compile-shapes.ts'

/** A column, or the shape of the message. */
export type KindOf = { readonly column: string } | 'shape'

export type KindsInput = FilterInput & {
  readonly of: KindOf
  /** Epoch nanoseconds of the oldest event that is read; undefined: all of the window. */
  readonly fromNs: string | undefined
  /** More are not told apart: the answer has one row more. */
  readonly maxKinds: number
}

const HASH = 'toString(cityHash64(shape, isCut))'
const VALUE_CHARACTERS = 500
const YOUNG_HOURS = 24

/** Rows: hash, events. */
export function compileKindCounts(input: KindsInput): Statement {
  const { rows, context } = kindRows(input)
  const sql = `SELECT ${HASH} AS hash, count() AS n FROM (${rows}) GROUP BY hash ${limitOf(input)}`
  return makeStatement(sql, context, { endsEarly: false })
}

/** Rows: hash, hours since 1970 in which the first and the last one were received, events of the
 *  first 24 of these hours. */
export function compileKindHistory(input: KindsInput): Statement {
  const { rows, context } = kindRows(input)
  const hour = 'intDiv(toUnixTimestamp64Milli(received), 3600000)'
  const hours = `SELECT ${HASH} AS hash, ${hour} AS hour, count() AS n FROM (${rows}) GROUP BY hash, hour`
  const lists = `SELECT hash, groupArray(hour) AS hours, groupArray(n) AS counts FROM (${hours}) GROUP BY hash`
  const young = `arraySum((hour, n) -> if(hour < first + ${YOUNG_HOURS}, n, 0), hours, counts)`
  const sql = `SELECT hash, arrayMin(hours) AS first, arrayMax(hours) AS last, ${young} AS young FROM (${lists}) ${limitOf(input)}`
  return makeStatement(sql, context, { endsEarly: false })
}

/** Of some kinds, rows: hash, text of the kind (a shape has its marks), whether it was cut, events,
 *  the newest text. The most frequent first. */
export function compileKindTexts(
  input: KindsInput & { readonly hashes: readonly string[] },
): Statement {
  const { rows, context } = kindRows(input)
  const hashes = context.params.add(input.hashes, 'Array(String)')
  const kind = input.of === 'shape' ? 'any(shape)' : 'argMax(text, timestamp)'
  const columns = `${HASH} AS hash, ${kind} AS kind, any(isCut) AS cut, count() AS n, argMax(text, timestamp) AS example`
  const sql = `SELECT hash, kind, cut, n, example FROM (SELECT ${columns} FROM (${rows}) GROUP BY hash HAVING hash IN ${hashes}) ORDER BY n DESC, kind ${limitOf(input)}`
  return makeStatement(sql, context, { endsEarly: false })
}

function limitOf({ maxKinds }: KindsInput): string {
  return `LIMIT ${Math.trunc(maxKinds) + 1}`
}

function kindRows(input: KindsInput): Rows {
  return input.of === 'shape' ? shapedRows(input) : valueRows(input, input.of.column)
}

/** Throws Failure `search.query` for a column without values of its own. */
function valueRows(input: KindsInput, column: string): Rows {
  const { plan, context } = planFilter(input)
  const operand = planOperand(plan, columnRef(column), context)
  if (operand.kind !== 'values') return raiseQuery(`${column} has no values that could be new`, 0)
  context.params.countTexts()
  const bounds =
    input.fromNs === undefined
      ? []
      : [
          `timestamp >= fromUnixTimestamp64Nano(${context.params.add(input.fromNs, 'Int64')}, 'UTC')`,
        ]
  const events = selectFrom(
    { ...plan, bounds: [...plan.bounds, ...bounds] },
    `timestamp, received, ${valueText(operand.spellings)} AS whole`,
  )
  const cut = `substringUTF8(whole, 1, ${VALUE_CHARACTERS})`
  const rows = `SELECT timestamp, received, ${cut} AS text, lengthUTF8(whole) > ${VALUE_CHARACTERS} AS isCut, ${foldExpression(cut)} AS shape FROM (${events}) WHERE whole != ''`
  return { rows, context }
}
