// Small reads that tell why a search finds nothing: whether an event is there, and what the newest
// ones hold. Compiled as every search is, so that they know only what the user may see. Pure.
import { foldExpression, TEXT_EXPRESSION } from '../../schemas/store/text-index.ts'
import { limitSql, planOperand, selectFrom } from './compile/plan/event-plan.ts'
import { valueText } from './compile/tests/operand.ts'
import { type FilterInput, makeStatement, planFilter, type Statement } from './compile-filter.ts'
import type { ReadQuery } from './search-input.ts'
import type { ColumnRef, Filter } from './tree.ts'

/** As `read` of an input: a filter instead of the text. */
export function asQuery(filter: Filter): ReadQuery {
  const { start, end } = filter
  const source = { kind: 'filterSource', filter, start, end } as const
  return {
    query: { kind: 'query', source, stages: [], start, end },
    warnings: [],
    edits: [],
  }
}

/** A row when an event is there. */
export function compileOne(input: FilterInput): Statement {
  const { plan, context } = planFilter(input)
  return makeStatement(
    `${selectFrom(plan, '1 AS found')} ${limitSql({ count: 1, offset: 0 }, context)}`,
    context,
  )
}

/** Beginnings of the texts of the newest events, in which words are searched. */
export function compileTexts(
  input: FilterInput & { readonly count: number; readonly bytes: number },
): Statement {
  const { plan, context } = planFilter(input)
  const text = `substring(${TEXT_EXPRESSION}, 1, ${context.params.add(String(input.bytes), 'UInt64')}) AS beginning`
  const limit = limitSql({ count: input.count, offset: 0 }, context)
  return makeStatement(`${selectFrom(plan, text)} ORDER BY timestamp DESC ${limit}`, context)
}

/** A row when one of the newest `count` events that have both columns has two texts in them. */
export function compileDifferent(
  input: FilterInput & {
    readonly compared: readonly [ColumnRef, ColumnRef]
    readonly count: number
  },
): Statement {
  const { plan, context } = planFilter(input)
  const [own, other] = input.compared.map((column) => {
    const operand = planOperand(plan, column, context)
    return foldExpression(operand.kind === 'values' ? valueText(operand.spellings) : "''")
  })
  const limit = limitSql({ count: input.count, offset: 0 }, context)
  const rows = `${selectFrom(plan, `${own} AS one, ${other} AS two, timestamp`)} ORDER BY timestamp DESC ${limit}`
  return makeStatement(
    `SELECT 1 FROM (${rows}) WHERE one != '' AND two != '' AND one != two LIMIT 1`,
    context,
  )
}

/** Epoch milliseconds of the first and the last event: no row, or two. */
export function compileSpan(input: FilterInput): Statement {
  const { plan, context } = planFilter(input)
  const one = (direction: string) =>
    `(${selectFrom(plan, 'toUnixTimestamp64Milli(timestamp) AS ms')} ORDER BY timestamp ${direction} LIMIT 1)`
  return makeStatement(`SELECT ms FROM (${one('ASC')} UNION ALL ${one('DESC')})`, context)
}

/** Values of a column in the newest events, or the values themselves where each log has its own.
 *  Undefined for times. */
export function compileValues(
  input: FilterInput & {
    readonly column: ColumnRef
    readonly count: number
    readonly bytes: number
  },
): Statement | readonly string[] | undefined {
  const { plan, context } = planFilter(input)
  const operand = planOperand(plan, input.column, context)
  if (operand.kind === 'date') return undefined
  if (operand.kind === 'perLog') return plan.logs.flatMap(operand.textsOf)
  const value = operand.kind === 'size' ? `toString(${operand.sql})` : valueText(operand.spellings)
  const bytes = context.params.add(String(input.bytes), 'UInt64')
  const limit = limitSql({ count: input.count, offset: 0 }, context)
  const rows = `${selectFrom(plan, `substring(${value}, 1, ${bytes}) AS text, timestamp`)} ORDER BY timestamp DESC ${limit}`
  return makeStatement(`SELECT DISTINCT text FROM (${rows}) WHERE text != ''`, context)
}
