// A filter as one condition on rows (search-language 2.1-2.4).

import type { SearchableLog } from '../compile-search.ts'
import { raiseQuery } from '../raise-query.ts'
import { namesLogs, selectsLog } from '../resolve/select-logs.ts'
import type { ColumnRef, Filter, Phrase, Scope, ScopeItem, Word } from '../tree.ts'
import { FALSE, sqlAnd, sqlNot, sqlOr, TRUE } from './boolean-sql.ts'
import type { Operand } from './operand.ts'
import { logIdIn } from './per-log-test-sql.ts'
import type { SqlParams } from './sql-params.ts'
import { wholeExactRegexp } from './term-regexp.ts'
import { type TestContext, testSql } from './test-sql.ts'

/** How the rows at hand answer words, columns and scopes. */
export type FilterTarget = {
  termSql(term: Word | Phrase): string
  operand(column: ColumnRef): Operand
  /** Rows of tables have no scope. */
  scopeSql(scope: Scope): string
}

export function filterSql(filter: Filter, target: FilterTarget, context: TestContext): string {
  const each = (operands: readonly Filter[]) =>
    operands.map((operand) => filterSql(operand, target, context))
  switch (filter.kind) {
    case 'everything':
      return TRUE
    case 'word':
    case 'phrase':
      return target.termSql(filter)
    case 'not':
      return sqlNot(filterSql(filter.operand, target, context))
    case 'and':
      return sqlAnd(each(filter.operands))
    case 'or':
      return sqlOr(each(filter.operands))
    case 'scoped':
      return sqlAnd([target.scopeSql(filter.scope), ...each([filter.operand])])
    case 'test':
      return testSql(operandOf(filter.column, target), filter.check, context)
  }
}

function operandOf(column: ColumnRef, target: FilterTarget): Operand {
  if (column.name === '') raiseQuery('the name of the column is empty', column.start)
  return target.operand(column)
}

/** The union of the included items without the excluded ones. */
export function scopeSql(
  { include, exclude }: Scope,
  logs: readonly SearchableLog[],
  params: SqlParams,
): string {
  const included = include.length === 0 ? TRUE : itemsSql(include, logs, params)
  return sqlAnd([included, sqlNot(itemsSql(exclude, logs, params))])
}

function itemsSql(
  items: readonly ScopeItem[],
  logs: readonly SearchableLog[],
  params: SqlParams,
): string {
  if (items.some((item) => item.kind === 'scopeEverything')) return TRUE
  const ofLogs = items.filter(namesLogs)
  const selected = logs.filter((log) => ofLogs.some((item) => selectsLog(item, log)))
  const patterns = items.flatMap((item) => {
    if (item.kind !== 'scopeName' || namesLogs(item)) return []
    return [nameSql(item.of === 'server' ? 'host' : 'source', item.name, params)]
  })
  return sqlOr([selected.length > 0 ? logIdIn(selected, params) : FALSE, ...patterns])
}

function nameSql(
  column: 'host' | 'source',
  name: Parameters<typeof wholeExactRegexp>[0],
  params: SqlParams,
): string {
  const [part] = name
  if (name.length === 1 && part?.kind === 'text') return `(${column} = ${params.text(part.text)})`
  return `match(${column}, ${params.text(wholeExactRegexp(name))})`
}
