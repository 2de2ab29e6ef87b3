// What a chart draws, read from the rows of its widget: categories, and series of numbers over
// them. Pure.
import type { WidgetRows } from '../dashboards/result.ts'
import type { WidgetOptions } from '../dashboards/widget.ts'

export type Series = { readonly name: string; readonly values: readonly (number | null)[] }

export type ChartData = {
  readonly categories: readonly string[]
  /** Epoch milliseconds of the categories, rising, where they are times. */
  readonly times: readonly number[] | undefined
  readonly series: readonly Series[]
}

type Asked = Pick<WidgetOptions, 'category' | 'series' | 'values'>

/** More are drawn as one. */
const MAX_SERIES = 20
const OTHERS = 'others'
const EMPTY = '(none)'

export function readSeries(rows: WidgetRows, asked: Asked): ChartData {
  const { columns } = rows
  const places = chooseColumns(rows, asked)
  const times = places.category === undefined ? undefined : columns[places.category]?.times
  const order = rows.rows.map((_, at) => at).filter((at) => !times || times[at] !== null)
  if (times) order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
  const keys = new Map<string, number>()
  const categories: string[] = []
  const instants: number[] = []
  const cells = new Map<string, (number | null)[]>()
  for (const at of order) {
    const row = rows.rows[at] ?? []
    const name = places.category === undefined ? String(at + 1) : (row[places.category] ?? EMPTY)
    const key = times ? String(times[at]) : name
    const place = keys.get(key) ?? categories.length
    if (!keys.has(key)) {
      keys.set(key, place)
      categories.push(name)
      instants.push(times?.[at] ?? 0)
    }
    for (const value of places.values) {
      const title = columns[value]?.name ?? ''
      const of = places.series === undefined ? undefined : (row[places.series] ?? EMPTY)
      const series = of === undefined ? title : places.values.length > 1 ? `${of}: ${title}` : of
      const list = cells.get(series) ?? []
      cells.set(series, list)
      list[place] = add(list[place], numberOf(row[value]))
    }
  }
  const series = [...cells].map(([name, values]) => ({
    name,
    values: categories.map((_, place) => values[place] ?? null),
  }))
  return { categories, times: times && instants, series: uniteRest(series) }
}

/** Undefined: no number. */
export function numberOf(cell: string | null | undefined): number | null {
  if (cell === null || cell === undefined || cell.trim() === '') return null
  const value = Number(cell)
  return Number.isFinite(value) ? value : null
}

/** Places of the columns that are drawn; undefined: there is none. */
export function chooseColumns({ columns, rows }: WidgetRows, asked: Asked) {
  const find = (name: string | null) => {
    if (name === null) return undefined
    const at = columns.findIndex((one) => one.name.toLowerCase() === name.toLowerCase())
    return at < 0 ? undefined : at
  }
  const all = columns.map((_, at) => at)
  const isNumber = (at: number) =>
    columns[at]?.type === 'number' ||
    (columns[at]?.type === 'text' &&
      rows.some((row) => numberOf(row[at]) !== null) &&
      rows.every((row) => (row[at] ?? null) === null || numberOf(row[at]) !== null))
  const isReal = (at: number) => columns[at]?.type === 'number'
  const given = asked.values.flatMap((name) => find(name) ?? [])
  const own = all.filter(isReal)
  const numbers = given.length > 0 ? given : own.length > 0 ? own : all.filter(isNumber).slice(-1)
  const free = all.filter((at) => !numbers.includes(at))
  const category =
    find(asked.category) ?? free.find((at) => columns[at]?.type === 'time') ?? free[0]
  const series =
    find(asked.series) ?? free.find((at) => at !== category && columns[at]?.type === 'text')
  return { category, series, values: numbers.filter((at) => at !== category && at !== series) }
}

function add(before: number | null | undefined, value: number | null): number | null {
  if (before === null || before === undefined) return value
  return value === null ? before : before + value
}

/** The largest stay, in their order. */
function uniteRest(series: readonly Series[]): readonly Series[] {
  if (series.length <= MAX_SERIES) return series
  const sum = ({ values }: Series) => values.reduce((all: number, it) => all + Math.abs(it ?? 0), 0)
  const largest = new Set([...series].sort((a, b) => sum(b) - sum(a)).slice(0, MAX_SERIES - 1))
  const rest = series.filter((one) => !largest.has(one))
  const values = (series[0]?.values ?? []).map((_, at) =>
    rest.reduce((all: number | null, one) => add(all, one.values[at] ?? null), null),
  )
  return [...series.filter((one) => largest.has(one)), { name: OTHERS, values }]
}
