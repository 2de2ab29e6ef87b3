// Which rows pass a filter (search-language#words, #column-tests, #where).

import { readerOf } from './columns.ts'
import { toRegExp } from './regexp.ts'
import { resolveByTemporal } from './relative-time.ts'
import type { Cell, Relation, Row, World } from './run/model.ts'
import { isInScope } from './scopes.ts'
import { fold, holdsPhrase, holdsWord, isWild, matchesWhole, patternText } from './text.ts'
import type { Check, ColumnRef, Filter, Query, Test, Value } from './tree.ts'
import { cellText, exactNumber, isWithin, orderOf } from './values.ts'
import { readDate, readMoment } from './zone.ts'

/** Values of a sub-query's first shown column, as text. */
export type SubQueries = (query: Query) => readonly string[]

type Test1 = (row: Row) => boolean

export function filterOf(
  filter: Filter,
  relation: Relation,
  world: World,
  subQueries: SubQueries,
): Test1 {
  const each = (operands: readonly Filter[]) =>
    operands.map((operand) => filterOf(operand, relation, world, subQueries))
  switch (filter.kind) {
    case 'everything':
      return () => true
    case 'word':
      return (row) => textsOf(row, relation, world).some((text) => holdsWord(text, filter.pattern))
    case 'phrase':
      return (row) => textsOf(row, relation, world).some((text) => holdsPhrase(text, filter.text))
    case 'not': {
      const [passes] = each([filter.operand])
      return (row) => !passes?.(row)
    }
    case 'and': {
      const tests = each(filter.operands)
      return (row) => tests.every((passes) => passes(row))
    }
    case 'or': {
      const tests = each(filter.operands)
      return (row) => tests.some((passes) => passes(row))
    }
    case 'scoped': {
      const [passes] = each([filter.operand])
      return (row) =>
        row.event !== null && isInScope(filter.scope, row.event) && passes?.(row) === true
    }
    case 'test':
      return testOf(filter, relation, world, subQueries)
  }
}

/** Of events: the message and all values; of tables: the shown cells. */
function textsOf(row: Row, { shown }: Relation, { zone }: World): readonly string[] {
  if (row.event !== null) return row.event.texts
  return shown.map(({ read }) => cellText(read(row), zone))
}

function testOf(
  { column, check }: Test,
  relation: Relation,
  world: World,
  subQueries: SubQueries,
): Test1 {
  const read = readerOf(relation, column, world)
  const isNegative =
    check.kind === 'compare' ? check.operator === '!=' : 'isNegated' in check && check.isNegated
  if (check.kind === 'column') {
    const other = readerOf(relation, check.column, world)
    const isDifferent = check.operator === '!='
    return (row) => {
      const [own, given] = [read(row), other(row)]
      if (own === null || given === null) return false
      const operator = isDifferent ? '=' : check.operator
      return agrees(orderOfCells(own, given, operator, world), operator) !== isDifferent
    }
  }
  if (check.kind === 'exists') return (row) => (read(row) === null) === isNegative
  const isSize = isBytes(column, relation)
  const plain = plainTest(check, isSize, world, subQueries)
  return (row) => {
    const cell = read(row)
    if (cell === null) return false
    const parts: Cell[] =
      cell.kind === 'tags' ? cell.texts.map((text) => ({ kind: 'text', text })) : [cell]
    return parts.some(plain) !== isNegative
  }
}

/** `size` has a unit. */
function isBytes({ name, origin }: ColumnRef, { kind }: Relation): boolean {
  return kind === 'events' && origin !== 'parsed' && name.toLowerCase() === 'size'
}

/** The check without its negation, of a value that is there. */
function plainTest(
  check: Check,
  isSize: boolean,
  world: World,
  subQueries: SubQueries,
): (cell: Cell) => boolean {
  const is = (operator: string, value: Value) => (cell: Cell) =>
    isOrdered(cell, operator, value, isSize, world)
  switch (check.kind) {
    case 'compare':
      return is(check.operator === '!=' ? '=' : check.operator, check.value)
    case 'list':
      return (cell) => check.values.some((value) => is('=', value)(cell))
    case 'between':
      return (cell) => is('>=', check.low)(cell) && is('<=', check.high)(cell)
    case 'text': {
      const given = fold(patternText(check.value.pattern))
      return (cell) => {
        const own = fold(cellText(cell, world.zone))
        if (check.operator === 'contains') return own.includes(given)
        return check.operator === 'starts with' ? own.startsWith(given) : own.endsWith(given)
      }
    }
    case 'matches': {
      const expression = toRegExp(patternText(check.value.pattern))
      return (cell) => expression.test(cellText(cell, world.zone))
    }
    case 'within': {
      const block = patternText(check.value.pattern)
      return (cell) => cell?.kind === 'text' && isWithin(cell.text, block)
    }
    case 'subQuery': {
      const values = subQueries(check.query)
      return (cell) => values.some((value) => equalsText(cell, value, world))
    }
    case 'column':
    case 'exists':
      throw new Error('not a plain check')
  }
}

function equalsText(cell: Cell, given: string, { zone }: World): boolean {
  if (cell?.kind === 'date') return cell.ms === readMoment(given, zone)
  return given !== '' && orderOf(cell, given, '=') === 0
}

function isOrdered(
  cell: Cell,
  operator: string,
  { pattern }: Value,
  isSize: boolean,
  world: World,
): boolean {
  const { zone } = world
  if (operator === '=' && isWild(pattern)) return matchesWhole(pattern, cellText(cell, zone), true)
  const given = patternText(pattern)
  const order =
    cell?.kind === 'date'
      ? cell.ms - (momentOf(given, world) ?? Number.NaN)
      : orderOf(cell, isSize ? bytesOf(given) : given, operator)
  return agrees(order, operator)
}

/** Of a value that the data has, not the query. */
function heldMoment(cell: Cell, zone: string): number | null {
  const text = cellText(cell, zone)
  return /^\d{1,15}$/.test(text) ? Number(text) : readDate(text, zone)
}

/** Of two columns. */
function orderOfCells(own: Cell, given: Cell, operator: string, { zone }: World): number | null {
  if (own?.kind === 'date' && given?.kind === 'date') return own.ms - given.ms
  if (own?.kind === 'date') return own.ms - (heldMoment(given, zone) ?? Number.NaN)
  if (given?.kind === 'date') return (heldMoment(own, zone) ?? Number.NaN) - given.ms
  const [a, b] = [own, given].map((cell) =>
    cell?.kind === 'number' ? (cell.exact ?? String(cell.value)) : cellText(cell, zone),
  )
  if (given?.kind === 'number' && own?.kind !== 'number' && exactNumber(a ?? '') === null)
    return null
  return orderOf(own, b ?? '', operator)
}

function agrees(order: number | null, operator: string): boolean {
  if (order === null || Number.isNaN(order)) return false
  if (operator === '=') return order === 0
  if (operator.startsWith('<')) return order < 0 || (order === 0 && operator === '<=')
  return order > 0 || (order === 0 && operator === '>=')
}

/** Also told from now. */
function momentOf(given: string, { zone, nowMs }: World): number | null {
  if (!/^(?:now|[-+@])/i.test(given)) return readMoment(given, zone)
  const short = given.replace(/\s+/g, '').replace(/months?/gi, 'M')
  return resolveByTemporal(short, nowMs, zone)
}

function bytesOf(text: string): string {
  const match = /^([\d.]+)(|k|m|g)b$/i.exec(text)
  const power = ['', 'k', 'm', 'g'].indexOf((match?.[2] ?? '').toLowerCase())
  return match === null ? text : String(Number(match[1]) * 1024 ** power)
}
