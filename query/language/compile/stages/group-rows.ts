// Rows by key and interval, in two steps: by exact value and small piece of time; then by value without letter case and interval. So
// the spelling of the first row and the calendar cost one calculation a distinct value, not one a row.

import { raiseQuery } from '../../raise-query.ts'
import type { Interval } from '../../tree.ts'
import type { CompileContext } from '../compile-context.ts'
import type { TableColumn, TablePlan } from '../plan.ts'
import type { AggregateInput } from './aggregate-input.ts'
import { type Buckets, buckets } from './bucket-sql.ts'
import { fillBuckets } from './empty-buckets.ts'
import type { Calculation } from './function-sql.ts'
import { type CompiledKey, keyColumn } from './group-key.ts'
import { cutMany, ordered, refuseMany } from './group-limit.ts'
import { identitySql } from './key-sql.ts'

const TIME: TableColumn = { id: 'bucket', title: 'time', synonyms: [], cell: 'date' }

type Groups = {
  readonly functions: readonly TableColumn[]
  readonly calculations: readonly Calculation[]
  readonly keys: readonly CompiledKey[]
  readonly interval: Interval | null
}

export function groupRows(
  input: AggregateInput,
  { functions, calculations, keys, interval }: Groups,
  context: CompileContext,
): TablePlan {
  const time = interval && { ...timeOf(input, interval), buckets: buckets(interval, context) }
  const isSpelled = ({ cell, isOneSpelling }: CompiledKey) => cell === 'text' && !isOneSpelling
  const hasText = keys.some(isSpelled)
  const columns = [
    ...(time ? [`${time.buckets.slot(time.nanos)} AS slot`] : []),
    ...keys.map(({ sql }, index) => `${sql} AS e${index}`),
    ...states(calculations),
    ...(hasText ? [`max(${input.firstness}) AS first`] : []),
  ]
  const conditions = [...keys.map(({ exists }) => exists), ...(time ? [time.exists] : [])]
  const by = [...(time ? ['slot'] : []), ...keys.map((_, index) => `e${index}`)]
  const rows = `SELECT ${columns.join(', ')} ${input.from(conditions)} GROUP BY ${by.join(', ')}`
  const spelling = (index: number) => {
    const key = keys[index]
    return key && isSpelled(key) ? `argMax(e${index}, first)` : `any(e${index})`
  }
  const pieces = {
    rows,
    keys: keys.map(keyColumn),
    spelling,
    functions,
    values: merged(calculations),
    empties: calculations.map(({ empty }) => empty),
  }
  return groupPieces(pieces, time?.buckets ?? null, context)
}

export type Pieces = {
  /** A SELECT of `slot` (where there are intervals), exact keys e0, e1, … and what `values` are put together from. */
  readonly rows: string
  readonly keys: readonly TableColumn[]
  /** The key of a group from those of its pieces. */
  readonly spelling: (index: number) => string
  readonly functions: readonly TableColumn[]
  /** Of the functions, in a group. */
  readonly values: readonly string[]
  /** In an interval without rows. */
  readonly empties: readonly string[]
}

export function groupPieces(
  { rows, keys, spelling, functions, values, empties }: Pieces,
  time: Buckets | null,
  context: CompileContext,
): TablePlan {
  const bucket = time ? ['bucket'] : []
  const ids = functions.map(({ id }) => id)
  const columns = [
    ...bucket,
    ...keys.map((key, index) => `${spelling(index)} AS ${key.id}`),
    ...values.map((value, index) => `${value} AS ${ids[index]}`),
  ]
  const by = [...bucket, ...keys.map(({ cell }, index) => identitySql(cell, `e${index}`))]
  const limit = cutMany(keys.length > 0 ? 'groups' : 'buckets')
  const pieces = time ? withBucket(rows, time, context) : rows
  const groups = `SELECT ${columns.join(', ')} FROM (${pieces}) GROUP BY ${by.join(', ')} ${limit}`
  const shown = [...(time ? [TIME] : []), ...keys, ...functions]
  const plan: TablePlan = {
    kind: 'table',
    sql: time
      ? keys.length === 0
        ? refuseMany(fillBuckets(groups, { ids, empties }, time, context), 'buckets')
        : refuseMany(refuseMany(groups, 'groups'), 'buckets', 'uniqExact(bucket)')
      : refuseMany(groups, 'groups'),
    order: [],
    columns: shown,
    shownCount: shown.length,
  }
  return ordered(plan, bucket, { functions, keys }, context)
}

/** Start of the interval of each piece, as `bucket` in milliseconds. */
function withBucket(rows: string, { start }: Buckets, { params, window }: CompileContext): string {
  const { startMs } = window
  const first =
    startMs === null ? 'earliest' : params.add(String(Math.floor(startMs / 1000)), 'Int64')
  const from =
    startMs === null ? `(SELECT *, min(slot) OVER () AS earliest FROM (${rows}))` : `(${rows})`
  return `SELECT *, ${start('slot', first)} * 1000 AS bucket FROM ${from}`
}

function timeOf({ times }: AggregateInput, { start }: Interval) {
  if (!times) return raiseQuery('interval needs rows with a time, these have none', start)
  return { nanos: times.start, exists: times.exists }
}

function states(calculations: readonly Calculation[]): string[] {
  return calculations.flatMap(({ aggregates }, index) =>
    aggregates.map(({ name, parameters, argument }, at) => {
      return `${name}State${parameters}(${argument}) AS s${index}_${at}`
    }),
  )
}

function merged(calculations: readonly Calculation[]): string[] {
  return calculations.map(({ aggregates, result }, index) => {
    const values = aggregates.map(
      ({ name, parameters }, at) => `${name}Merge${parameters}(s${index}_${at})`,
    )
    return result(values)
  })
}
