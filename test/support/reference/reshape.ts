// transpose and join over tables (search-language#transpose).

import { findColumn, readerOf } from './columns.ts'
import { Refused, TooMany } from './refusals.ts'
import {
  type Cell,
  type Column,
  type Relation,
  type Row,
  tableColumn,
  tableRow,
  textCell,
  type World,
} from './run/model.ts'
import { fold } from './text.ts'
import type { ColumnRef } from './tree.ts'
import { cellText, identity, orderOf } from './values.ts'

const MOST_COLUMNS = 1000

/** Rows become columns; the first column holds the old names. */
export function transpose(relation: Relation, world: World): Relation {
  if (relation.rows.length > MOST_COLUMNS) throw new TooMany('columns')
  const columns = [
    tableColumn('name', 'column'),
    ...relation.rows.map((_, index) => tableColumn(`r${index}`, String(index + 1))),
  ]
  const rows = relation.shown.map((column) =>
    tableRow([
      ['name', textCell(column.title)],
      ...relation.rows.map(
        (row, index) => [`r${index}`, textCell(printed(column, row, world))] as const,
      ),
    ]),
  )
  return { ...relation, rows, shown: columns, hidden: [] }
}

/** Each value of the key becomes a column that holds the last column; the others stay rows. */
export function transposeKey(relation: Relation, ref: ColumnRef, world: World): Relation {
  const key = findColumn({ ...relation, hidden: [] }, ref.name)
  const value = relation.shown.filter((column) => column !== key).at(-1)
  if (!key || !value) throw new Refused('transpose needs a shown key and a column beside it')
  const others = relation.shown.filter((column) => column !== key && column !== value)
  const titles = new Map<string, string>()
  const groups = new Map<string, { row: Row; cells: Map<string, Row> }>()
  for (const row of relation.rows) {
    // As it is printed; missing as in group by.
    const name = printed(key, row, world)
    if (name === '') continue
    const id = fold(name)
    if (!titles.has(id)) titles.set(id, name)
    const place = JSON.stringify(others.map(({ read }) => identity(read(row))))
    const group = groups.get(place) ?? { row, cells: new Map<string, Row>() }
    groups.set(place, group)
    if (!group.cells.has(id)) group.cells.set(id, row)
  }
  if (titles.size > MOST_COLUMNS) throw new TooMany('columns')
  const made = [...titles].map(([id, title]) =>
    carried(`t ${id}`, { ...value, synonyms: [] }, title),
  )
  const kept = others.map((column, index) => carried(`o${index}`, column, column.title))
  const rows = [...groups.values()].map(({ row, cells }) =>
    tableRow([
      ...others.flatMap((column, index) => carriedCells(`o${index}`, column, row)),
      ...[...titles.keys()].flatMap((id) => carriedCells(`t ${id}`, value, cells.get(id) ?? null)),
    ]),
  )
  return { ...relation, rows, shown: [...kept, ...made], hidden: [] }
}

function printed({ read, print }: Column, row: Row, world: World): string {
  return print ? print(row) : cellText(read(row), world.zone)
}

/** A column whose value and printed text stand in rows of another table. */
function carried(id: string, { synonyms, print }: Column, title: string): Column {
  const column = tableColumn(id, title, synonyms)
  if (print === null) return column
  return { ...column, print: (row) => textOf(row.cells.get(`${id} printed`) ?? null) }
}

function carriedCells(id: string, { read, print }: Column, row: Row | null) {
  const cell = row && read(row)
  const text = row && print ? textCell(print(row)) : null
  return [[id, cell] as const, [`${id} printed`, text] as const]
}

function textOf(cell: Cell): string {
  return cell?.kind === 'text' ? cell.text : ''
}

/** Left join: a row without a partner stays, one with several stands once for each. */
export function join(
  left: Relation,
  right: Relation,
  on: { left: ColumnRef; right: ColumnRef },
  world: World,
): Relation {
  const readLeft = readerOf(left, on.left, world)
  const rightKey = findColumn(right, on.right.name)
  const readRight = readerOf(right, on.right, world)
  const added = right.shown.filter((column) => column !== rightKey)
  // Rows of joins before have more cells.
  const cellCount = left.rows[0]?.cells.size ?? 0
  const id = (index: number) => `j${cellCount} ${index}`
  const rows = left.rows.flatMap((row) => {
    const own = readLeft(row)
    const partners =
      own === null
        ? []
        : right.rows.filter((other) => {
            const cell = readRight(other)
            return cell !== null && orderOf(own, cellText(cell, world.zone), '=') === 0
          })
    const pairs = partners.length === 0 ? [null] : partners
    return pairs.map((partner) =>
      tableRow([
        ...row.cells,
        ...added.flatMap((column, index) => carriedCells(id(index), column, partner)),
      ]),
    )
  })
  const taken = new Set(left.shown.map(({ title }) => title.toLowerCase()))
  const columns = added.map((column, index) => {
    const { title } = column
    return carried(id(index), column, taken.has(title.toLowerCase()) ? `${title}_2` : title)
  })
  return { ...left, rows, shown: [...left.shown, ...columns] }
}
