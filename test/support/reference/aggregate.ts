// Functions with their grouping and buckets, and datastream (search-language#functions,
// #datastream).

import { readerOf } from './columns.ts'
import { filterOf, type SubQueries } from './filter.ts'
import { formatCell } from './formats.ts'
import { TooMany } from './refusals.ts'
import {
  type Cell,
  type Column,
  numberCell,
  type Reader,
  type Relation,
  type Row,
  tableColumn,
  tableRow,
  textCell,
  type World,
} from './run/model.ts'
import type { Filter, FunctionCall, GroupBy, GroupKey, Interval, Query } from './tree.ts'
import { cellText, compareCells, identity, numericValue } from './values.ts'
import { bucketStart, longestMs, nextBucket, readDate, type Step } from './zone.ts'

const HOUR_MS = 3_600_000
const QUARTER_MS = 900_000
const MOST_BUCKETS = 50_000

type Calculated = {
  readonly title: string
  readonly synonyms: readonly string[]
  calculate(rows: readonly Row[], whole: readonly Row[]): Cell
}

export function aggregate(
  relation: Relation,
  calls: readonly FunctionCall[],
  groupBy: GroupBy | null,
  interval: Interval | null,
  world: World,
  subQueries: SubQueries,
): Relation {
  const titles = calls.map((call) => (call.alias ?? textOf(call)).toLowerCase())
  const functions = calls.map((call, index) => {
    const isShared = titles.some((title, other) => other !== index && title === titles[index])
    return toCalculated(call, isShared, relation, world, subQueries)
  })
  return group(relation, functions, groupBy, interval, world)
}

export function datastream(
  relation: Relation,
  { source, isFirst }: Pick<Query, 'source'> & { readonly isFirst: boolean },
  { groupBy, interval }: { groupBy: GroupBy | null; interval: Interval | null },
  world: World,
): Relation {
  const flow: Calculated[] = [
    { title: 'events', synonyms: [], calculate: (rows) => numberCell(rows.length) },
    {
      title: 'volume',
      synonyms: [],
      calculate: (rows) => numberCell(rows.reduce((sum, { event }) => sum + (event?.size ?? 0), 0)),
    },
  ]
  const step = interval ?? defaultPeriod(world)
  const isCounted =
    isFirst &&
    source.kind === 'filterSource' &&
    isScopesOnly(source.filter) &&
    isOfQuarters(step) &&
    holdsQuarter(world.window)
  return group(relation, flow, groupBy, step, world, isCounted ? byQuarter : undefined)
}

function isScopesOnly(filter: Filter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.operands.every(isScopesOnly)
  if (filter.kind === 'scoped' || filter.kind === 'not') return isScopesOnly(filter.operand)
  return filter.kind === 'everything'
}

function isOfQuarters({ count, unit }: Step): boolean {
  const minutes = { second: count / 60, minute: count }
  return !(unit === 'second' || unit === 'minute') || minutes[unit] % 15 === 0
}

/** A whole one: from quarter to quarter. */
function holdsQuarter({ startMs, endMs }: World['window']): boolean {
  if (startMs === null || endMs === null) return true
  return Math.ceil(startMs / QUARTER_MS) < Math.floor(endMs / QUARTER_MS)
}

/** The counters know no single row: equal keys are spelled as in the newest quarter of an hour, and
 *  there as the smallest of them (0009). */
function byQuarter(a: Entry, b: Entry): number {
  const quarter = ({ row: { event } }: Entry) => Math.floor((event?.timestampMs ?? 0) / QUARTER_MS)
  if (quarter(a) !== quarter(b)) return quarter(b) - quarter(a)
  const texts = ({ keys }: Entry) => keys.map((key) => (key?.kind === 'text' ? key.text : ''))
  const [own, other] = [texts(a), texts(b)]
  const place = own.findIndex((text, index) => text !== other[index])
  return Buffer.compare(Buffer.from(own[place] ?? ''), Buffer.from(other[place] ?? ''))
}

function defaultPeriod({ window: { startMs, endMs } }: World): Step {
  const lengthMs = startMs === null || endMs === null ? Number.POSITIVE_INFINITY : endMs - startMs
  if (lengthMs <= 3 * HOUR_MS) return { count: 1, unit: 'minute' }
  if (lengthMs <= 24 * HOUR_MS) return { count: 1, unit: 'hour' }
  return { count: 1, unit: lengthMs <= 31 * 24 * HOUR_MS ? 'day' : 'week' }
}

type Entry = { readonly row: Row; readonly keys: readonly Cell[] }
type Group = { bucket: number | null; keys: readonly Cell[]; rows: Row[] }

function group(
  relation: Relation,
  functions: readonly Calculated[],
  groupBy: GroupBy | null,
  step: Step | null,
  world: World,
  /** Which row's keys a group shows: that of the first; by default in the order of the rows. */
  order: (a: Entry, b: Entry) => number = () => 0,
): Relation {
  const readKeys = (groupBy?.keys ?? []).map((key) => keyReader(key, relation, world))
  const grouped = relation.rows.flatMap((row) => {
    const sets = combinations(readKeys.map((read) => read(row)))
    return sets.length === 0 ? [] : [{ row, sets }]
  })
  const times = grouped.map(({ row: { event } }) => event?.timestampMs ?? 0)
  const firstMs = world.window.startMs ?? times.reduce((a, b) => Math.min(a, b), Infinity)
  const bucketOf = ({ event }: Row) =>
    step === null ? null : bucketStart(event?.timestampMs ?? 0, step, world.zone, firstMs)
  const groups = new Map<string, Group>()
  const add = (bucket: number | null, keys: readonly Cell[], row: Row | null) => {
    const id = JSON.stringify([bucket, ...keys.map(identity)])
    let known = groups.get(id)
    if (!known) {
      known = { bucket, keys, rows: [] }
      groups.set(id, known)
    }
    if (row) known.rows.push(row)
  }
  const entries = grouped.flatMap(({ row, sets }) => sets.map((keys): Entry => ({ row, keys })))
  for (const { row, keys } of entries.sort(order)) add(bucketOf(row), keys, row)
  if (!groupBy && step) for (const bucket of bucketsOf(world, times, step)) add(bucket, [], null)
  if (step && new Set([...groups.values()].map(({ bucket }) => bucket)).size > MOST_BUCKETS)
    throw new TooMany('buckets')
  if (!groupBy && !step && groups.size === 0) add(null, [], null)
  return toTable([...groups.values()], functions, groupBy, step, relation.rows, world)
}

/** From window start to window end; of an open window from the first to the last event. */
function* bucketsOf(
  { window, zone }: World,
  times: readonly number[],
  step: Step,
): Generator<number> {
  const isOpen = window.startMs === null || window.endMs === null
  if (isOpen && times.length === 0) return
  const from = window.startMs ?? times.reduce((a, b) => Math.min(a, b))
  const to = window.endMs ?? times.reduce((a, b) => Math.max(a, b)) + 1
  if ((to - from) / longestMs(step) > MOST_BUCKETS) throw new TooMany('buckets')
  for (let at = bucketStart(from, step, zone, from); at < to; at = nextBucket(at, step, zone)) {
    yield at
  }
}

/** A row with several tags stands in each of their groups; one that lacks a key in none. */
function combinations(cells: readonly Cell[]): Cell[][] {
  let all: Cell[][] = [[]]
  for (const cell of cells) {
    const choices: Cell[] =
      cell === null ? [] : cell.kind === 'tags' ? cell.texts.map(textCell) : [cell]
    all = all.flatMap((head) => choices.map((choice) => [...head, choice]))
  }
  return all
}

function keyReader(key: GroupKey, relation: Relation, world: World): Reader {
  const read = readerOf(relation, key.column, world)
  const missing = key.missingText === null ? null : textCell(key.missingText)
  const { format } = key
  if (!format && missing !== null) return (row) => asText(read(row), world) ?? missing
  if (!format) return read
  return (row) => {
    if (read(row) === null) return missing
    return textCell(formatCell(format, read(row), row, relation, world)) ?? missing
  }
}

/** A text for missing keys makes the key a text. */
function asText(cell: Cell, { zone }: World): Cell {
  return cell?.kind === 'date' ? textCell(cellText(cell, zone)) : cell
}

function toTable(
  groups: readonly Group[],
  functions: readonly Calculated[],
  groupBy: GroupBy | null,
  step: Step | null,
  whole: readonly Row[],
  world: World,
): Relation {
  const columns: Column[] = [
    ...(step ? [tableColumn('time', 'time')] : []),
    ...(groupBy?.keys ?? []).map((key, index) =>
      tableColumn(`k${index}`, key.alias ?? key.column.name, [key.column.name]),
    ),
    ...functions.map(({ title, synonyms }, index) => tableColumn(`v${index}`, title, synonyms)),
  ]
  const rows = groups.map(({ bucket, keys, rows }) =>
    tableRow([
      ...(bucket === null ? [] : [['time', { kind: 'date', ms: bucket }] as const]),
      ...keys.map((key, index) => [`k${index}`, key] as const),
      ...functions.map(({ calculate }, index) => [`v${index}`, calculate(rows, whole)] as const),
    ]),
  )
  const keyIds = (groupBy?.keys ?? []).map((_, index) => `k${index}`)
  const cell = (row: Row, id: string) => row.cells.get(id) ?? null
  rows.sort((a, b) => {
    if (step) {
      const byTime = compareCells(cell(a, 'time'), cell(b, 'time'))
      if (byTime !== 0) return byTime
    }
    const byFunction = compareWithMissing(cell(a, 'v0'), cell(b, 'v0'), 'desc')
    if (byFunction !== 0) return byFunction
    for (const id of keyIds) {
      const byKey = compareWithMissing(cell(a, id), cell(b, id), 'asc')
      if (byKey !== 0) return byKey
    }
    // WARN and Warning are one rank: the order of groups is total all the same.
    for (const id of keyIds) {
      const [left, right] = [cell(a, id), cell(b, id)].map((key) => cellText(key, world.zone))
      const byText = Buffer.compare(Buffer.from(left ?? ''), Buffer.from(right ?? ''))
      if (byText !== 0) return byText
    }
    return 0
  })
  return { kind: 'table', rows, shown: columns, hidden: [], logs: world.logs }
}

/** Missing values last in both directions. */
export function compareWithMissing(a: Cell, b: Cell, direction: 'asc' | 'desc'): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0)
  return direction === 'asc' ? compareCells(a, b) : compareCells(b, a)
}

function textOf(call: FunctionCall): string {
  return [call.name, call.percentile, call.column?.name]
    .filter((part) => part !== null && part !== undefined)
    .join(' ')
}

/** Two functions of one text are told apart by their conditions. */
function toCalculated(
  call: FunctionCall,
  isShared: boolean,
  relation: Relation,
  world: World,
  subQueries: SubQueries,
): Calculated {
  const text = textOf(call)
  const own = isShared && call.condition ? `${text} if (${call.conditionText})` : text
  const passes = call.condition ? filterOf(call.condition, relation, world, subQueries) : () => true
  const read: Reader = call.column ? readerOf(relation, call.column, world) : () => null
  return {
    title: call.alias ?? own,
    synonyms: [text, text.replace(/^distinct count /, 'count distinct '), call.name],
    calculate: (rows, whole) =>
      calculate(call, rows.filter(passes), read, { relation, whole, world }),
  }
}

type Around = {
  readonly relation: Relation
  readonly whole: readonly Row[]
  readonly world: World
}

function calculate(
  call: FunctionCall,
  rows: readonly Row[],
  read: Reader,
  { relation, whole, world }: Around,
): Cell {
  const having = rows.filter((row) => read(row) !== null)
  const cells = having.map(read)
  const numbers = cells.flatMap((cell) => numericValue(cell) ?? [])
  const sum = numbers.reduce((a, b) => a + b, 0)
  const mean = numbers.length === 0 ? null : sum / numbers.length
  const sorted = [...numbers].sort((a, b) => a - b)
  switch (call.name) {
    case 'count':
      return numberCell(call.column ? cells.length : rows.length)
    case 'distinct count':
      return numberCell(new Set(cells.map(identity)).size)
    case 'sum':
      return numberCell(sum)
    case 'avg':
      return numberCell(mean)
    case 'min':
    case 'max':
      return extreme(cells, call.name === 'min' ? 1 : -1, world)
    case 'stdev': {
      if (mean === null || numbers.length < 2) return null
      // From the first value, so that equal large numbers differ by nothing.
      const [base = 0] = numbers
      const shift = numbers.reduce((total, value) => total + (value - base), 0) / numbers.length
      const squares = numbers.reduce((total, value) => total + (value - base - shift) ** 2, 0)
      return numberCell(Math.sqrt(squares / (numbers.length - 1)))
    }
    case 'median': {
      const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
      return low === undefined || high === undefined ? null : numberCell((low + high) / 2)
    }
    case 'percentile': {
      const rank = Math.max(1, Math.ceil(((call.percentile ?? 0) * sorted.length) / 100))
      return numberCell(sorted[rank - 1] ?? null)
    }
    case 'first':
    case 'last': {
      const inTime = relation.kind === 'events' ? [...having].sort(byTime) : having
      const row = call.name === 'first' ? inTime[0] : inTime.at(-1)
      return row ? read(row) : null
    }
    case 'values': {
      const seen = new Map<string, string>()
      for (const cell of cells) {
        const parts = cell?.kind === 'tags' ? cell.texts.map(textCell) : [cell]
        for (const part of parts) {
          const id = identity(part)
          if (!seen.has(id)) seen.set(id, cellText(part, world.zone))
        }
      }
      return textCell([...seen.values()].slice(0, 100).join(', '))
    }
    case 'start time':
    case 'end time':
    case 'time': {
      const times = rows.flatMap(({ event }) => (event ? [Math.floor(event.timestampMs)] : []))
      if (times.length === 0) return null
      const [low, high] = [Math.min(...times), Math.max(...times)]
      if (call.name === 'time') return numberCell(high - low)
      return { kind: 'date', ms: call.name === 'start time' ? low : high }
    }
    case 'percent':
      return numberCell(
        whole.length === 0 ? null : Math.round((rows.length * 10_000) / whole.length) / 100,
      )
  }
}

function byTime({ event: a }: Row, { event: b }: Row): number {
  return (a?.timestampMs ?? 0) - (b?.timestampMs ?? 0) || (a?.arrival ?? 0) - (b?.arrival ?? 0)
}

/** Numbers if all are numeric, else dates, else text. */
function extreme(cells: readonly Cell[], sign: 1 | -1, { zone }: World): Cell {
  if (cells.length === 0) return null
  const numbers = cells.map(numericValue)
  if (numbers.every((number) => number !== null)) {
    return numberCell(numbers.reduce((a, b) => (((a ?? 0) - (b ?? 0)) * sign <= 0 ? a : b)))
  }
  const moments = cells.map((cell) => (cell?.kind === 'text' ? readDate(cell.text, zone) : null))
  if (moments.every((moment) => moment !== null)) {
    const best = moments.reduce((a, b) => ((a - b) * sign <= 0 ? a : b))
    return cells[moments.indexOf(best)] ?? null
  }
  return cells.reduce((a, b) => (compareAsText(a, b) * sign <= 0 ? a : b))
}

function compareAsText(a: Cell, b: Cell): number {
  if (a?.kind === 'date' && b?.kind === 'date') return a.ms - b.ms
  const [left, right] = [identity(a), identity(b)]
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
