// Rows by key and interval, in two steps: by exact value and small piece of time; then by value
// without letter case and interval. So the spelling of the first row and the calendar cost one
// calculation a distinct value, not one a row.

import { raiseQuery } from '../../parse/raise-query.ts'
import type { Interval } from '../../tree.ts'
import { TRUE } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import type { TableColumn, TablePlan } from '../plan/plan.ts'
import type { AggregateInput } from './aggregate-input.ts'
import { type Buckets, buckets } from './bucket-sql.ts'
import { fillBuckets } from './empty-buckets.ts'
import { type SpelledRows, spelledAlike, spelledLate } from './first-spelling.ts'
import type { Calculation } from './function-sql.ts'
import { type CompiledKey, keyColumn } from './group-key.ts'
import { cutMany, ordered, refuseMany } from './group-limit.ts'
import { identitySql, isSeveral } from './key-sql.ts'

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
  const texts = keys.flatMap((key, index) => (isSpelled(key) ? [`e${index}`] : []))
  const conditions = [...keys.map(({ exists }) => exists), ...(time ? [time.exists] : [])]
  const slot = time ? [`${time.buckets.slot(time.nanos)} AS slot`] : []
  const from = (more: readonly string[]) => input.from([...conditions, ...more])
  // A row of several texts is several rows only where the engine meets it first.
  const isLate =
    texts.length > 0 && input.isTable && context.readsAll && !keys.some(({ sql }) => isSeveral(sql))
  const firsts = texts.length > 0 && !isLate ? [`max(${input.firstness}) AS first`] : []
  const groups = groupsSql(keys, { slot, states: [...states(calculations), ...firsts], from })
  const exact: SpelledRows = {
    columns: [...slot, ...keys.map(({ sql }, index) => `${sql} AS e${index}`)],
    by: [...(time ? ['slot'] : []), ...keys.map((_, index) => `e${index}`)],
    from,
    firstness: input.firstness,
  }
  const { subSelects } = context
  const rows = isLate
    ? subSelects.either({
        quick: groups,
        whole: spelledLate(exact, groups, texts, subSelects.name()),
      })
    : groups
  const spelling = (index: number) => {
    const key = keys[index]
    const ofAny = `any(e${index})`
    if (!key || !isSpelled(key)) return ofAny
    const ofFirst = `argMax(e${index}, first)`
    return isLate ? subSelects.either({ quick: ofAny, whole: ofFirst }) : ofFirst
  }
  const pieces = {
    rows,
    keys: keys.map(keyColumn),
    spelling,
    having: isLate ? subSelects.either({ quick: spelledAlike(texts), whole: TRUE }) : TRUE,
    functions,
    values: merged(calculations),
    empties: calculations.map(({ empty }) => empty),
  }
  return groupPieces(pieces, time?.buckets ?? null, context)
}

/** A SELECT of slot, exact keys e0, e1, … and states: grouped by what the keys are made of. A key
 *  may stand in several rows. */
function groupsSql(
  keys: readonly CompiledKey[],
  {
    slot,
    states,
    from,
  }: {
    slot: readonly string[]
    states: readonly string[]
    from: (more: readonly string[]) => string
  },
): string {
  const pieces = keys.map(({ sql, pieces }, index) => {
    const by = pieces?.by ?? [sql]
    const names = by.map((_, at) => `r${index}_${at}`)
    return { by, names, key: pieces ? pieces.key(names) : (names[0] ?? '') }
  })
  const columns = pieces.flatMap(({ by, names }) => by.map((sql, at) => `${sql} AS ${names[at]}`))
  const by = [...(slot.length > 0 ? ['slot'] : []), ...pieces.flatMap(({ names }) => names)]
  const grouped = `SELECT ${[...slot, ...columns, ...states].join(', ')} ${from([])} GROUP BY ${by.join(', ')}`
  const made = pieces.map(({ key }, index) => `${key} AS e${index}`)
  return `SELECT *, ${made.join(', ')} FROM (${grouped})`
}

export type Pieces = {
  /** A SELECT of `slot` (where there are intervals), exact keys e0, e1, … and what `values` are put
   *  together from. */
  readonly rows: string
  readonly keys: readonly TableColumn[]
  /** The key of a group from those of its pieces. */
  readonly spelling: (index: number) => string
  /** Put together by exact key and interval first: each with the name that `spelling` and `values`
   *  read. */
  readonly sums?: readonly string[]
  /** A condition of the groups. */
  readonly having?: string
  readonly functions: readonly TableColumn[]
  /** Values of the functions in a group. */
  readonly values: readonly string[]
  /** Values of the functions in an interval without rows. */
  readonly empties: readonly string[]
}

export function groupPieces(
  { rows, keys, sums, spelling, having = TRUE, functions, values, empties }: Pieces,
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
  const slots = time ? withBucket(rows, time, context) : rows
  const exact = [...bucket, ...keys.map((_, index) => `e${index}`)].join(', ')
  const pieces = sums
    ? `SELECT ${exact}, ${sums.join(', ')} FROM (${slots}) GROUP BY ${exact}`
    : slots
  const groups = `SELECT ${columns.join(', ')} FROM (${pieces}) GROUP BY ${by.join(', ')}${having === TRUE ? '' : ` HAVING ${having}`} ${limit}`
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
