// Stages over rows (search-language#percentile to #formats).

import { compareWithMissing } from './aggregate.ts'
import { FIXED, findColumn, findReader, readerOf, readTime } from './columns.ts'
import { addedCell, formatCell, printNumber, roundHalfAway } from './formats.ts'
import { replaceAll, toRegExp } from './regexp.ts'
import {
  type Cell,
  type Column,
  numberCell,
  type Reader,
  type Relation,
  type Row,
  textCell,
  type World,
} from './run/model.ts'
import type { ColumnRef, Display, DisplayItem, OrderBy, Stage } from './tree.ts'
import { cellText, identity, numericValue } from './values.ts'

export function sliceRows(relation: Relation, from: number, to: number): Relation {
  return { ...relation, rows: relation.rows.slice(from, to) }
}

export function orderRows(relation: Relation, { keys }: OrderBy, world: World): Relation {
  const readers = keys.map(({ column, direction }) => ({
    read: readerOf(relation, column, world),
    direction,
  }))
  // Where times ascend, events of one time stand in order of receipt (decision 2.8).
  const isOldestFirst =
    relation.kind === 'events' &&
    readers.some(({ read, direction }) => read === readTime && direction === 'asc')
  const rows = [...relation.rows].sort((a, b) => {
    for (const { read, direction } of readers) {
      const order = compareWithMissing(read(a), read(b), direction)
      if (order !== 0) return order
    }
    return isOldestFirst ? (a.event?.arrival ?? 0) - (b.event?.arrival ?? 0) : 0
  })
  return { ...relation, rows }
}

export function dedupRows(
  relation: Relation,
  columns: readonly ColumnRef[],
  world: World,
): Relation {
  const readers = columns.map((column) => readerOf(relation, column, world))
  const seen = new Set<string>()
  const rows = relation.rows.filter((row) => {
    const id = JSON.stringify(readers.map((read) => identity(read(row))))
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
  return { ...relation, rows }
}

export function listColumns(
  relation: Relation,
  items: (Stage & { kind: 'list' })['items'],
  world: World,
): Relation {
  return showOnly(
    relation,
    items.map(({ column, alias }) => ({ column, alias, format: null })),
    world,
  )
}

type Item = Pick<DisplayItem, 'column' | 'alias' | 'format'>

function showOnly(relation: Relation, items: readonly Item[], world: World): Relation {
  const shown = items.map((item) => shownColumn(relation, item, world))
  return { ...relation, shown, hidden: hiddenBehind(relation, shown) }
}

/** What is not shown any more stays reachable, after what is shown. */
function hiddenBehind({ kind, shown: before, hidden }: Relation, shown: readonly Column[]) {
  if (kind === 'table') return [...before, ...hidden].filter((column) => !shown.includes(column))
  return [...shown.filter(({ isNamed }) => isNamed), ...hidden]
}

function shownColumn(relation: Relation, { column, alias, format }: Item, world: World): Column {
  const title = alias ?? column.name
  const found = findReader(relation, column, world)
  // `column.x` says the parsed column outright: no name hides it, and it names nothing.
  const isNamed = alias !== null || (format !== null && column.origin === 'any')
  const own =
    relation.kind === 'table'
      ? findColumn(relation, column.name)
      : column.origin === 'any'
        ? relation.hidden.find((known) => known.title.toLowerCase() === column.name.toLowerCase())
        : undefined
  const synonyms = own ? [...own.synonyms, own.title] : []
  if (found === undefined) {
    const isAdded = format && ['simple', 'expression', 'query'].includes(format.type)
    const read: Reader = isAdded ? (row) => addedCell(format, row, relation, world) : () => null
    const print = format?.type === 'expression' ? (row: Row) => printNumber(read(row)) : null
    return { title, synonyms: [], read, print, isOptional: false, isNamed }
  }
  const print = format
    ? (row: Row) => formatCell(format, found(row), row, relation, world)
    : (own?.print ?? null)
  return { title, synonyms, read: found, print, isOptional: false, isNamed }
}

export function display(relation: Relation, stage: Display, world: World): Relation {
  if (stage.isOnly) return showOnly(relation, stage.items, world)
  let shown = [...relation.shown]
  for (const item of stage.items) {
    const made = shownColumn(relation, item, world)
    const place = shown.findIndex((column) => isMeant(column, item.column, relation))
    if (place >= 0) shown = shown.map((column, index) => (index === place ? made : column))
    else shown.push(made)
  }
  return { ...relation, shown, hidden: hiddenBehind(relation, shown) }
}

function isMeant(column: Column, { name, origin }: ColumnRef, relation: Relation): boolean {
  if (relation.kind === 'table') return column === findColumn(relation, name)
  const isFixed = FIXED.includes(column.title.toLowerCase())
  return column.title.toLowerCase() === name.toLowerCase() && !(origin === 'parsed' && isFixed)
}

/** Adds a column at the end, or puts it in the place of one of that name. */
function withColumn(relation: Relation, title: string, read: Reader): Relation {
  const column: Column = {
    title,
    synonyms: [],
    read,
    print: null,
    isOptional: false,
    isNamed: true,
  }
  const folded = title.toLowerCase()
  const place = relation.shown.findIndex((own) => own.title.toLowerCase() === folded)
  const shown =
    place >= 0
      ? relation.shown.map((own, index) => (index === place ? column : own))
      : [...relation.shown, column]
  const hidden = relation.hidden.filter((own) => own.title.toLowerCase() !== folded)
  return {
    ...relation,
    shown,
    hidden: relation.kind === 'events' ? [column, ...hidden] : relation.hidden,
  }
}

export function extract(
  relation: Relation,
  { regexp, column }: Stage & { kind: 'extract' },
  world: World,
): Relation {
  const read = readerOf(relation, column, world)
  const expression = toRegExp(regexp)
  const names = [...regexp.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map(([, name]) => name ?? '')
  return names.reduce(
    (known, name) =>
      withColumn(known, name, (row): Cell => {
        const cell = read(row)
        if (cell === null) return null
        return textCell(expression.exec(cellText(cell, world.zone))?.groups?.[name] ?? '')
      }),
    relation,
  )
}

export function replace(
  relation: Relation,
  { regexp, replacement, column, alias }: Stage & { kind: 'replace' },
  world: World,
): Relation {
  const read = readerOf(relation, column, world)
  return withColumn(relation, alias ?? column.name, (row) => {
    const cell = read(row)
    return cell && textCell(replaceAll(cellText(cell, world.zone), regexp, replacement))
  })
}

export function round(
  relation: Relation,
  { column, digits, alias }: Stage & { kind: 'round' },
  world: World,
): Relation {
  const read = readerOf(relation, column, world)
  return withColumn(relation, alias ?? column.name, (row) => {
    const number = numericValue(read(row))
    return number === null ? null : numberCell(roundHalfAway(number, digits))
  })
}
