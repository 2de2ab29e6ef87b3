// The values of a column out of the rows of a count.
import { z } from 'zod'
import { foldCase } from '../../../schemas/store/text-index.ts'
import { builtInColumn } from '../../language/built-in-columns.ts'
import type {
  CompiledCounts,
  CountedColumn,
  CountRow,
} from '../../language/reads/compile-counts.ts'
import type { ColumnRef } from '../../language/tree.ts'

export type CountedRows = {
  readonly compiled: Pick<CompiledCounts, 'logs'>
  readonly rows: readonly CountRow[]
}

/** Times are counted by buckets, and raw texts not at all (search-language#built-in-columns). */
export function isCountable({ origin, name }: ColumnRef): boolean {
  const builtIn = origin === 'parsed' ? undefined : builtInColumn(name)
  return builtIn !== 'timestamp' && builtIn !== 'raw'
}

const number = z.coerce.number()
const rowSchema = z.tuple([number, number, z.string(), number, number, number, number, number])

/** A row of CompiledCounts.sql. */
export function readCountRow(values: readonly unknown[]): CountRow {
  const [part, slot, value, events, total, kinds, present, isCut] = rowSchema.parse(values)
  return { part, slot, value, events, total, kinds, present, isCut: isCut !== 0 }
}

type Value = {
  readonly value: string
  readonly total: number
  readonly rows: readonly CountRow[]
}
export type Values = {
  /** The most frequent first, no more than asked for. */
  readonly values: readonly Value[]
  readonly distinct: number
  /** Events that have a value. */
  readonly present: number
  readonly isExact: boolean
}

const NONE: Values = { values: [], distinct: 0, present: 0, isExact: true }

export function valuesOf(
  column: CountedColumn | undefined,
  limit: number,
  counted: CountedRows,
): Values {
  if (column === undefined || column.kind === 'unknown') return NONE
  const rows = counted.rows.filter(({ part }) => part === column.part)
  if (column.kind === 'perLog') return valuesOfLogs(column, rows, limit, counted)
  const [first] = rows
  if (first === undefined) return NONE
  const byValue = new Map<string, Value & { rows: CountRow[] }>()
  for (const row of rows) {
    const known = byValue.get(row.value)
    if (known) known.rows.push(row)
    else byValue.set(row.value, { value: row.value, total: row.total, rows: [row] })
  }
  const isExact = rows.every(({ isCut }) => !isCut)
  return { values: [...byValue.values()], distinct: first.kinds, present: first.present, isExact }
}

/** Texts that a log gives to its events: its name, folder, tags. */
function valuesOfLogs(
  column: CountedColumn & { kind: 'perLog' },
  rows: readonly CountRow[],
  limit: number,
  { compiled }: CountedRows,
): Values {
  const logs = new Map(compiled.logs.map((log) => [String(log.id), log]))
  const byText = new Map<string, { value: string; total: number; rows: CountRow[] }>()
  let present = 0
  for (const row of rows) {
    const log = logs.get(row.value)
    const texts = log === undefined ? [] : column.textsOf(log).filter((text) => text !== '')
    if (texts.length > 0) present += row.events
    for (const value of texts) {
      const known = byText.get(foldCase(value)) ?? { value, total: 0, rows: [] }
      known.total += row.events
      known.rows.push(row)
      byText.set(foldCase(value), known)
    }
  }
  const sorted = [...byText.values()].sort((a, b) => b.total - a.total || compare(a.value, b.value))
  const isExact = rows.every(({ isCut }) => !isCut)
  return { values: sorted.slice(0, limit), distinct: sorted.length, present, isExact }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
