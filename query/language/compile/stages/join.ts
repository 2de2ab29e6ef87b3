// `join [ query ] on a = b` (search-language#join): the columns of another table beside the rows
// whose values are equal; a row without a partner stays, one with several stands once for each.
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Join } from '../../tree.ts'
import { doubleText } from '../columns/column-sql.ts'
import { textKey } from '../columns/value-key.ts'
import type { CompileContext } from '../compile-context.ts'
import { findTableColumn, type Plan, type TableColumn, type TablePlan } from '../plan/plan.ts'
import { tableOrderSql } from '../plan/table-plan.ts'

export function join(left: Plan, stage: Join, context: CompileContext): TablePlan {
  if (left.kind !== 'table') return raiseQuery('join needs a table, not events', stage.start)
  const right = context.planQuery(stage.query)
  if (right.kind !== 'table') {
    const advice = 'add a function, such as | count | group by host'
    return raiseQuery(
      `join needs a table in the brackets, not events: ${advice}`,
      stage.query.start,
    )
  }
  const { subSelects } = context
  const rightKey = findTableColumn(stage.right ?? stage.left, right.columns)
  const shown = right.columns.slice(0, right.shownCount).filter((column) => column !== rightKey)
  const taken = new Set(left.columns.slice(0, left.shownCount).map(({ title }) => fold(title)))
  const added = shown.map((column) => {
    const title = freeTitle(column.title, taken)
    taken.add(fold(title))
    const printed = column.printed === undefined ? {} : { printed: subSelects.name() }
    return { from: column, to: { ...column, ...printed, id: subSelects.name(), title } }
  })
  const names = { leftKey: subSelects.name(), rightKey: subSelects.name() }
  const places = { left: subSelects.name(), right: subSelects.name() }
  const leftRows = `SELECT *, ${place(left)} AS ${places.left}, nullIf(${keyOf(findTableColumn(stage.left, left.columns))}, '') AS ${names.leftKey} FROM (${left.sql})`
  const rightColumns = added.flatMap(({ from, to }) => [
    `${from.cell === 'text' ? from.id : `toNullable(${from.id})`} AS ${to.id}`,
    ...(from.printed === undefined ? [] : [`${from.printed} AS ${to.printed}`]),
  ])
  const rightRows = `SELECT ${[...rightColumns, `${place(right)} AS ${places.right}`, `${keyOf(rightKey)} AS ${names.rightKey}`].join(', ')} FROM (${right.sql})`
  return {
    kind: 'table',
    sql: `SELECT * FROM (${leftRows}) AS ${subSelects.name()} LEFT JOIN (SELECT * FROM (${rightRows}) WHERE ${names.rightKey} != '') AS ${subSelects.name()} ON ${names.leftKey} = ${names.rightKey}`,
    order: [places.left, places.right],
    columns: [
      ...left.columns.slice(0, left.shownCount),
      ...added.map(({ to }) => to),
      ...left.columns.slice(left.shownCount),
    ],
    shownCount: left.shownCount + added.length,
  }
}

function place(plan: TablePlan): string {
  return `row_number() OVER (${tableOrderSql(plan).trim()})`
}

/** '' where the row has no value, which equals none. */
function keyOf(column: TableColumn | undefined): string {
  if (!column) return "''"
  const { id, cell } = column
  if (cell === 'date') return `ifNull(concat('d', toString(${id})), '')`
  const text = cell === 'number' ? doubleText(`toNullable(${id})`) : id
  return `if(${text} = '', '', ${textKey(text)})`
}

function freeTitle(title: string, taken: ReadonlySet<string>): string {
  let free = title
  while (taken.has(fold(free))) free = `${free}_2`
  return free
}

function fold(title: string): string {
  return title.toLowerCase()
}
