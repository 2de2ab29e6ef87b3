// transpose and join over tables (search-language 3.10).
import type { ColumnRef } from '../../../query/language/tree.ts'
import { Refused, TooMany } from './aggregate.ts'
import { findColumn, readerOf } from './columns.ts'
import {
  type Column,
  type Relation,
  type Row,
  tableColumn,
  tableRow,
  textCell,
  type World,
} from './model.ts'
import { cellText, identity, orderOf } from './values.ts'

const MOST_COLUMNS = 1000

/** Rows become columns; the first column holds the old names. */
export function transpose(relation: Relation, world: World): Relation {
  if (relation.rows.length > MOST_COLUMNS) throw new TooMany('columns')
  const print = ({ read, print }: Column, row: Row) =>
    print ? print(row) : cellText(read(row), world.zone)
  const columns = [
    tableColumn('name', 'column'),
    ...relation.rows.map((_, index) => tableColumn(`r${index}`, String(index + 1))),
  ]
  const rows = relation.shown.map((column) =>
    tableRow([
      ['name', textCell(column.title)],
      ...relation.rows.map((row, index) => [`r${index}`, textCell(print(column, row))] as const),
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
    const name = key.read(row)
    // As in group by.
    if (name === null) continue
    const id = identity(name)
    if (!titles.has(id)) titles.set(id, cellText(name, world.zone))
    const place = JSON.stringify(others.map(({ read }) => identity(read(row))))
    const group = groups.get(place) ?? { row, cells: new Map<string, Row>() }
    groups.set(place, group)
    if (!group.cells.has(id)) group.cells.set(id, row)
  }
  if (titles.size > MOST_COLUMNS) throw new TooMany('columns')
  const made = [...titles].map(([id, title]) => tableColumn(`t ${id}`, title))
  const kept = others.map(({ title, synonyms }, index) => tableColumn(`o${index}`, title, synonyms))
  const rows = [...groups.values()].map(({ row, cells }) =>
    tableRow([
      ...others.map(({ read }, index) => [`o${index}`, read(row)] as const),
      ...[...titles.keys()].map((id) => {
        const from = cells.get(id)
        return [`t ${id}`, from ? value.read(from) : null] as const
      }),
    ]),
  )
  return { ...relation, rows, shown: [...kept, ...made], hidden: [] }
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
        ...added.map(
          ({ read }, index) => [`j${index}`, partner === null ? null : read(partner)] as const,
        ),
      ]),
    )
  })
  const taken = new Set(left.shown.map(({ title }) => title.toLowerCase()))
  const columns = added.map(({ title, synonyms }, index) =>
    tableColumn(`j${index}`, taken.has(title.toLowerCase()) ? `${title}_2` : title, synonyms),
  )
  return { ...left, rows, shown: [...left.shown, ...columns] }
}
