// A filter as one condition on rows (search-language#words, #column-tests).

import { raiseQuery } from '../../parse/raise-query.ts'
import { namesLogs, selectsLog } from '../../resolve/select-logs.ts'
import type { SearchableLog } from '../../search-input.ts'
import type {
  Check,
  ColumnRef,
  Filter,
  Phrase,
  Scope,
  ScopeItem,
  Test,
  Value,
  Word,
} from '../../tree.ts'
import { FALSE, sqlAnd, sqlFirm, sqlNot, sqlOr, TRUE } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import type { SqlParams } from '../sql-params.ts'
import { wholeExactRegexp } from '../terms/term-regexp.ts'
import { isAnsweredByIndex } from '../terms/term-sql.ts'
import type { Operand } from './operand.ts'
import { logIdIn } from './per-log-test-sql.ts'
import { testSql } from './test-sql.ts'

/** How the rows at hand answer words, columns and scopes. */
export type FilterTarget = {
  /** One term, or several joined. */
  termsSql(kind: 'and' | 'or', terms: readonly (Word | Phrase)[]): string
  operand(column: ColumnRef): Operand
  /** Rows of tables have no scope. */
  scopeSql(scope: Scope): string
  /** Words are answered by an index, which the engine leaves aside where it meets a constant inside
   *  OR or NOT. */
  readonly isIndexed: boolean
}

export function filterSql(filter: Filter, target: FilterTarget, context: CompileContext): string {
  return conditionSql(filter, target, context, false)
}

function conditionSql(
  filter: Filter,
  target: FilterTarget,
  context: CompileContext,
  isInside: boolean,
): string {
  const each = (operands: readonly Filter[]) =>
    operands.map((operand) =>
      conditionSql(operand, target, context, isInside || filter.kind === 'or'),
    )
  const joined = (kind: 'and' | 'or', operands: readonly Filter[]) => {
    const { terms, notTerms, others } = sortOperands(kind, operands)
    const opposite = kind === 'and' ? 'or' : 'and'
    const ofTerms = (some: readonly (Word | Phrase)[]) =>
      some.length > 0 ? [target.termsSql(kind, some)] : []
    // The store tests in this order: what an index answers, columns, then what reads the whole
    // text.
    const [quick, slow] = kind === 'and' ? partition(terms, isAnsweredByIndex) : [terms, []]
    return [
      ...ofTerms(quick),
      ...each(others),
      ...ofTerms(slow),
      ...(notTerms.length > 0 ? [sqlNot(target.termsSql(opposite, notTerms))] : []),
    ]
  }
  switch (filter.kind) {
    case 'everything':
      return TRUE
    case 'word':
    case 'phrase':
      return target.termsSql('and', [filter])
    case 'not':
      return sqlNot(conditionSql(filter.operand, target, context, true))
    case 'and':
      return sqlAnd(joined('and', filter.operands))
    case 'or':
      return sqlOr(joined('or', filter.operands))
    case 'scoped':
      return sqlAnd([target.scopeSql(filter.scope), ...each([filter.operand])])
    case 'test': {
      const { column, check } = filter
      const operand = operandOf(column, target)
      const test =
        check.kind === 'column'
          ? context.columnTestSql(operand, check.operator, operandOf(check.column, target))
          : testSql(operand, check, context)
      return isInside && target.isIndexed && check.kind !== 'subQuery' ? sqlFirm(test) : test
    }
  }
}

type Sorted = {
  readonly terms: readonly (Word | Phrase)[]
  /** The terms of `NOT term`. */
  readonly notTerms: readonly (Word | Phrase)[]
  readonly others: readonly Filter[]
}

/** Terms together, and equal columns together: a query may have thousands of them. */
function sortOperands(kind: 'and' | 'or', operands: readonly Filter[]): Sorted {
  const terms: (Word | Phrase)[] = []
  const notTerms: (Word | Phrase)[] = []
  const others: Filter[] = []
  const lists = new Map<string, { test: Test; values: Value[] }>()
  for (const operand of operands) {
    if (isTerm(operand)) terms.push(operand)
    else if (operand.kind === 'not' && isTerm(operand.operand)) notTerms.push(operand.operand)
    else if (operand.kind === 'test') {
      const values = listedValues(operand.check, kind)
      const key = `${operand.column.origin} ${operand.column.name.toLowerCase()}`
      const known = lists.get(key)
      if (!values) others.push(operand)
      else if (known) known.values.push(...values)
      else lists.set(key, { test: operand, values: [...values] })
    } else others.push(operand)
  }
  const isNegated = kind === 'and'
  for (const { test, values } of lists.values()) {
    others.push(
      values.length === 1 ? test : { ...test, check: { kind: 'list', isNegated, values } },
    )
  }
  return { terms, notTerms, others }
}

/** `a = 1 OR a in (2, 3)` is `a in (1, 2, 3)`; `a != 1 AND a != 2` is `a not in (1, 2)`. */
function listedValues(check: Check, kind: 'and' | 'or'): readonly Value[] | undefined {
  const isNegated = kind === 'and'
  if (check.kind === 'list') return check.isNegated === isNegated ? check.values : undefined
  if (check.kind !== 'compare' || check.operator !== (isNegated ? '!=' : '=')) return undefined
  return [check.value]
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function isTerm(filter: Filter): filter is Word | Phrase {
  return filter.kind === 'word' || filter.kind === 'phrase'
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
  // With = the engine would make a constant of two that exclude each other.
  if (name.length === 1 && part?.kind === 'text')
    return `(${column} IN (${params.text(part.text)}))`
  return `match(${column}, ${params.text(wholeExactRegexp(name))})`
}
