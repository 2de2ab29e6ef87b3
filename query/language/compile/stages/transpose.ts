// `transpose` (search-language#transpose): rows become columns. The names of the new columns depend
// on the data and are asked for beforehand (transposed-names.ts).
import { foldCase, foldExpression } from '../../../../schemas/store/text-index.ts'
import { describeUnknown } from '../../nearest-word.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { ColumnRef, Transpose } from '../../tree.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { cutMany, refuseMany } from '../groups/group-limit.ts'
import { identitySql } from '../groups/key-sql.ts'
import {
  findTableColumn,
  type Plan,
  type TableColumn,
  type TablePlan,
  tableOperand,
} from '../plan/plan.ts'
import { tableOrderSql } from '../plan/table-plan.ts'

export function transpose(plan: Plan, stage: Transpose, context: CompileContext): TablePlan {
  if (plan.kind !== 'table') return raiseQuery('transpose needs a table, not events', stage.start)
  return stage.column ? transposeKey(plan, stage.column, context) : transposeAll(plan, context)
}

/** The first column holds the old names; the others are numbered as the rows were. */
function transposeAll(plan: TablePlan, context: CompileContext): TablePlan {
  const { params, subSelects } = context
  const counted = refuseMany(
    `SELECT 1 FROM (${plan.sql}) ${cutMany('transposedColumns')}`,
    'transposedColumns',
  )
  const names = context.transposed.next(
    `SELECT toString(number + 1) AS name FROM numbers(assumeNotNull((SELECT count() FROM (${counted})))) ORDER BY number`,
  )
  const shown = plan.columns.slice(0, plan.shownCount)
  const texts = shown.map((column) => `toString(${printedText(column, context)})`)
  const rows = `SELECT [${texts.join(', ')}] AS texts FROM (${plan.sql})${tableOrderSql(plan)} LIMIT ${params.add(String(names.length), 'UInt64')}`
  const list = `SELECT groupArray(texts) AS rows FROM (${rows})`
  const titles = params.add(
    shown.map(({ title }) => title),
    'Array(String)',
  )
  const ids = names.map(() => subSelects.name())
  const [title, at] = [subSelects.name(), subSelects.name()]
  const cells = ids.map((id, index) => `rows[${index + 1}][${at}] AS ${id}`)
  return {
    kind: 'table',
    sql: `SELECT ${[`${titles}[${at}] AS ${title}`, at, ...cells].join(', ')} FROM (${list}) ARRAY JOIN arrayEnumerate(${titles}) AS ${at}`,
    order: [at],
    columns: [
      { id: title, title: 'column', synonyms: [], cell: 'text' },
      ...names.map((name, index): TableColumn => {
        return { id: ids[index] ?? '', title: name, synonyms: [], cell: 'text' }
      }),
    ],
    shownCount: names.length + 1,
  }
}

/** Each value of the key becomes a column that holds the last of the other columns; those before it
 *  stay. */
function transposeKey(plan: TablePlan, ref: ColumnRef, context: CompileContext): TablePlan {
  const { params, subSelects } = context
  const shown = plan.columns.slice(0, plan.shownCount)
  const key = findTableColumn(ref, shown)
  if (!key) {
    const titles = shown.map(({ title }) => title)
    return raiseQuery(describeUnknown('column', ref.name, titles), ref.start)
  }
  const others = shown.filter((column) => column !== key)
  const value = others.pop()
  if (!value) return raiseQuery('transpose needs a column beside the key', ref.start)
  const [place, name, id] = [subSelects.name(), subSelects.name(), subSelects.name()]
  const named = `SELECT *, ${printedText(key, context)} AS ${name} FROM (${plan.sql})`
  const rows = `SELECT *, ${foldExpression(name)} AS ${id}, row_number() OVER (${tableOrderSql(plan).trim()}) AS ${place} FROM (${named}) WHERE ${name} != ''`
  const distinct = `SELECT argMin(${name}, ${place}) AS name, min(${place}) AS first FROM (${rows}) GROUP BY ${id} ${cutMany('transposedColumns')}`
  const names = context.transposed.next(
    `SELECT name FROM (${refuseMany(distinct, 'transposedColumns')}) ORDER BY first`,
  )
  const kept = others.map((column) => {
    const printed = column.printed === undefined ? {} : { printed: subSelects.name() }
    return { from: column, to: { ...column, ...printed, id: subSelects.name() } }
  })
  const made = names.map((title): TableColumn => {
    const printed = value.printed === undefined ? {} : { printed: subSelects.name() }
    return { id: subSelects.name(), title, synonyms: [], cell: value.cell, ...printed }
  })
  const [first, values] = [subSelects.name(), subSelects.name()]
  const held = [
    value.cell === 'text' ? value.id : `toNullable(${value.id})`,
    ...(value.printed === undefined ? [] : [value.printed]),
  ]
  // In a tuple, since groupArray leaves out what is NULL.
  const map = `mapFromArrays(groupArray(${id}), groupArray(tuple(${held.join(', ')})))`
  const identities = others.map((column) => identitySql(column.cell, column.id))
  const once = `SELECT * FROM (${rows}) ORDER BY ${place} LIMIT 1 BY ${[...identities, id].join(', ')}`
  const grouped = [
    ...kept.flatMap(({ from, to }) => [
      `argMin(${from.id}, ${place}) AS ${to.id}`,
      ...(from.printed === undefined ? [] : [`argMin(${from.printed}, ${place}) AS ${to.printed}`]),
    ]),
    `min(${place}) AS ${first}`,
    `${map} AS ${values}`,
  ]
  const by = identities.length === 0 ? 'HAVING count() > 0' : `GROUP BY ${identities.join(', ')}`
  const columns = [...kept.map(({ to }) => to), ...made]
  const cells = made.flatMap((column, index) => {
    const cell = `${values}[${params.text(foldCase(names[index] ?? ''))}]`
    const printed = column.printed === undefined ? [] : [`${cell}.2 AS ${column.printed}`]
    return [`${cell}.1 AS ${column.id}`, ...printed]
  })
  const own = kept.flatMap(({ to }) => [to.id, ...(to.printed === undefined ? [] : [to.printed])])
  return {
    kind: 'table',
    sql: `SELECT ${[...own, first, ...cells].join(', ')} FROM (SELECT ${grouped.join(', ')} FROM (${once}) ${by})`,
    order: [first],
    // Without values there is nothing to show; later stages need a column all the same.
    columns: columns.length > 0 ? columns : [nameless(first)],
    shownCount: columns.length,
  }
}

function nameless(id: string): TableColumn {
  return { id, title: '', synonyms: [], cell: 'number' }
}

function printedText(column: TableColumn, context: CompileContext): string {
  return column.printed ?? shownText(tableOperand(column), context)
}
