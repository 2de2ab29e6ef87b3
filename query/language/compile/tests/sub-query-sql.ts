// `column in [ query ]` (search-language#queries-in-brackets): equals a value of the first shown
// column of another query, in the same statement, over the same window and the same visible logs.
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Check, Query } from '../../tree.ts'
import { FALSE, sqlAnd, sqlNot } from '../boolean-sql.ts'
import type { ValueSource } from '../columns/column-sql.ts'
import { doubleKey, textKey, textKeys } from '../columns/value-key.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { cutMany, refuseMany } from '../groups/group-limit.ts'
import { keySql } from '../groups/key-sql.ts'
import { carrySql, fromWhere, planOperand } from '../plan/event-plan.ts'
import { type EventPlan, type Plan, tableOperand } from '../plan/plan.ts'
import { readMomentSql } from './moment-sql.ts'
import { anySource, type Operand, sourceExists, textOperand } from './operand.ts'
import { logIdIn } from './per-log-test-sql.ts'

export function subQuerySql(
  operand: Operand,
  { isNegated, query }: Check & { readonly kind: 'subQuery' },
  context: CompileContext,
): string {
  const { params } = context
  const plan = context.planQuery(query)
  const given = firstColumn(plan, query, context)
  switch (operand.kind) {
    case 'date': {
      const own = operand.unitsPerMs === 1 ? operand.sql : `toUnixTimestamp64Milli(${operand.sql})`
      const passes = `ifNull(${own} IN (${momentsSelect(plan, given, context)}), 0)`
      return isNegated ? sqlAnd([`isNotNull(${own})`, sqlNot(passes)]) : passes
    }
    case 'size': {
      const passes = `(${doubleKey(operand.sql)} IN (${keysSelect(plan, given, context)}))`
      return isNegated ? sqlNot(passes) : passes
    }
    case 'perLog': {
      const pairs = operand.logs.flatMap((log) =>
        operand
          .textsOf(log)
          .filter((text) => text !== '')
          .map((text) => ({ log, text })),
      )
      if (pairs.length === 0) return FALSE
      const ids = params.add(
        pairs.map(({ log }) => log.id),
        'Array(UInt32)',
      )
      const texts = params.add(
        pairs.map(({ text }) => text),
        'Array(String)',
      )
      const passing = `SELECT pair.1 FROM (SELECT arrayJoin(arrayZip(${ids}, ${texts})) AS pair) WHERE ${textKey('pair.2')} IN (${keysSelect(plan, given, context)})`
      const passes = `(log_id IN (${passing}))`
      const present = logIdIn([...new Set(pairs.map(({ log }) => log))], params)
      return isNegated ? sqlAnd([present, sqlNot(passes)]) : passes
    }
    case 'values': {
      const sources = operand.spellings.flat()
      if (sources.length === 0) return FALSE
      params.countConditions(sources.length)
      const passes = `(${rowKey(sources)} IN (${keysSelect(plan, given, context)}))`
      return isNegated
        ? sqlAnd([anySource(operand.spellings, sourceExists), sqlNot(passes)])
        : passes
    }
  }
}

/** Key of the value that the row has; '' where it has none, which is not a key. */
function rowKey(sources: readonly ValueSource[]): string {
  const cases = sources.flatMap((source) => [
    sourceExists(source),
    source.kind === 'double' ? `ifNull(${doubleKey(source.sql)}, '')` : textKey(source.sql),
  ])
  return `multiIf(${[...cases, "''"].join(', ')})`
}

function firstColumn(plan: Plan, query: Query, context: CompileContext): Operand {
  if (plan.kind === 'events') return firstEventColumn(plan, query, context)
  const [first] = plan.columns
  return first && plan.shownCount > 0
    ? tableOperand(first)
    : raiseQuery('the query in brackets shows no column', query.start)
}

function firstEventColumn(plan: EventPlan, query: Query, context: CompileContext): Operand {
  const place = { start: query.start, end: query.end }
  const builtIn = (name: string) =>
    planOperand(plan, { kind: 'column', name, origin: 'builtIn', ...place }, context)
  const [first] = plan.cells === 'all' ? [] : plan.cells
  switch (first?.kind) {
    case undefined:
      return builtIn('timestamp')
    case 'builtIn':
      return builtIn(first.column)
    case 'parsed': {
      const { name } = first.column
      return planOperand(plan, { kind: 'column', name, origin: 'parsed', ...place }, context)
    }
    case 'text':
      return textOperand(carrySql(first.sql, plan.layers.slice(first.level)))
  }
}

/** One column, the keys of all values. */
function keysSelect(plan: Plan, given: Operand, context: CompileContext): string {
  const key = keySql(given, context.params, 'several')
  const text = given.kind === 'perLog' ? key.sql : exactText(given, context)
  return `SELECT arrayJoin(${textKeys('value')}) FROM (${distinct(plan, text, `value != ''`, key.exists)})`
}

/** One column, milliseconds. */
function momentsSelect(plan: Plan, given: Operand, context: CompileContext): string {
  const { exists, sql } = keySql(given, context.params, 'several')
  if (given.kind === 'date') return distinct(plan, sql, 'isNotNull(value)', exists)
  const text = given.kind === 'perLog' ? sql : exactText(given, context)
  return distinct(plan, readMomentSql(text, context), 'isNotNull(value)', exists)
}

function distinct(plan: Plan, value: string, isThere: string, exists: string): string {
  const from =
    plan.kind === 'events'
      ? fromWhere({ ...plan, conditions: [...plan.conditions, exists] })
      : `FROM (${plan.sql}) WHERE ${exists}`
  const values = `SELECT DISTINCT ${value} AS value ${from}`
  return refuseMany(
    `SELECT value FROM (${values}) WHERE ${isThere} ${cutMany('subQueryValues')}`,
    'subQueryValues',
  )
}

/** With all digits of computed numbers. */
function exactText(operand: Operand, context: CompileContext): string {
  return shownText(operand.kind === 'values' ? { ...operand, isComputed: false } : operand, context)
}
