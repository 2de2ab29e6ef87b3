// Each function (search-language#functions) as aggregates of the store and an expression over their
// results.
import { foldExpression } from '../../../../schemas/store/text-index.ts'
import type { FunctionCall } from '../../tree.ts'
import { sqlAnd, TRUE } from '../boolean-sql.ts'
import { doubleText } from '../columns/column-sql.ts'
import { numericValue, shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import type { TableColumn } from '../plan/plan.ts'
import { mayBeDateSql, readDateSql } from '../tests/moment-sql.ts'
import type { Operand } from '../tests/operand.ts'
import type { AggregateInput } from './aggregate-input.ts'
import { floorDivision } from './bucket-sql.ts'
import { identitySql, keySql, perLogList } from './key-sql.ts'

/** An aggregate function of the store: its name, parameters in parentheses or nothing,
 *  arguments. */
export type Aggregate = {
  readonly name: string
  readonly parameters: string
  readonly argument: string
}

export type Calculation = {
  readonly aggregates: readonly Aggregate[]
  /** Over the results of the aggregates. */
  readonly result: (values: readonly string[]) => string
  readonly cell: TableColumn['cell']
  /** In an interval without rows. */
  readonly empty: string
}

const NO_NUMBER = "CAST(NULL, 'Nullable(Float64)')"
const NO_DATE = "CAST(NULL, 'Nullable(Int64)')"
const MAX_VALUES = 100

export function calculation(
  call: FunctionCall,
  input: AggregateInput,
  context: CompileContext,
): Calculation {
  const passes = call.condition ? input.condition(call.condition) : TRUE
  const operand: Operand = call.column
    ? input.operand(call.column)
    : { kind: 'values', spellings: [] }
  const number = ifPasses(numericValue(operand), passes)
  const { params } = context
  switch (call.name) {
    case 'count': {
      const exists = call.column ? keySql(operand, params, 'one').exists : TRUE
      return whole(countOf(sqlAnd([exists, passes])))
    }
    case 'distinct count': {
      const key = keySql(operand, params, 'one')
      const identity = identitySql(key.cell, key.sql)
      const condition = sqlAnd([key.exists, passes])
      return whole(plain('uniqExactIf', `${identity}, ${condition}`))
    }
    case 'sum':
      return {
        aggregates: [plain('sumKahan', number)],
        result: ([sum]) => `ifNull(${sum}, 0)`,
        cell: 'number',
        empty: 'toFloat64(0)',
      }
    case 'avg':
      return {
        aggregates: [plain('sumKahan', number), plain('count', number)],
        result: ([sum, count]) => `if(${count} = 0, NULL, ${sum} / ${count})`,
        cell: 'number',
        empty: NO_NUMBER,
      }
    case 'stdev':
      return {
        aggregates: [plain('stddevSampStable', number), plain('count', number)],
        result: ([spread, count]) => `if(${count} < 2, NULL, toNullable(${spread}))`,
        cell: 'number',
        empty: NO_NUMBER,
      }
    case 'median':
      return ofNumbers(plain('quantileExactInclusive', number, '(0.5)'))
    case 'percentile': {
      const level = params.add(nearestRankLevel(call.percentile ?? 0), 'Float64')
      return ofNumbers(plain('quantileExactWeighted', `${number}, 1`, `(${level})`))
    }
    case 'min':
    case 'max':
      return extreme(call.name, operand, { number, passes }, input, context)
    case 'first':
    case 'last': {
      const key = keySql(operand, params, 'one')
      const { cell } = key
      const value = cell === 'text' ? key.sql : `toNullable(${key.sql})`
      const name = call.name === 'first' ? 'argMinIf' : 'argMaxIf'
      const argument = `${value}, ${input.age}, ${sqlAnd([key.exists, passes])}`
      return single(plain(name, argument), cell)
    }
    case 'values':
      return values(operand, passes, input, context)
    case 'start time':
    case 'end time':
    case 'time':
      return moments(call.name, passes, input)
    case 'percent':
      return share(countOf(passes), input, context)
  }
}

/** True where the result depends on the order of the rows. */
export function dependsOnPlace({ name }: FunctionCall): boolean {
  return name === 'values' || name === 'min' || name === 'max'
}

function plain(name: string, argument: string, parameters = ''): Aggregate {
  return { name, parameters, argument }
}

function countOf(condition: string): Aggregate {
  return condition === TRUE ? plain('count', '') : plain('countIf', condition)
}

function ifPasses(value: string, passes: string): string {
  return passes === TRUE ? value : `if(${passes}, ${value}, NULL)`
}

function whole(aggregate: Aggregate): Calculation {
  return {
    aggregates: [aggregate],
    result: ([count = '']) => count,
    cell: 'number',
    empty: 'toUInt64(0)',
  }
}

function ofNumbers(aggregate: Aggregate): Calculation {
  return {
    aggregates: [aggregate],
    result: ([value]) => `toNullable(${value})`,
    cell: 'number',
    empty: NO_NUMBER,
  }
}

function single(aggregate: Aggregate, cell: TableColumn['cell']): Calculation {
  const empty = cell === 'text' ? "''" : cell === 'date' ? NO_DATE : NO_NUMBER
  return { aggregates: [aggregate], result: ([value = '']) => value, cell, empty }
}

/** The rank is ceil(p / 100 * rows): a hair less, so that 7 % of 100 rows is rank 7, though 0.07 *
 *  100 is more than 7 in doubles. */
function nearestRankLevel(percentile: number): number {
  return (percentile / 100) * (1 - 1e-15)
}

/** Numbers if all values are numbers, else moments if all are texts of dates, else texts without
 *  letter case; as in the first row that has it. */
function extreme(
  name: 'min' | 'max',
  operand: Operand,
  { number, passes }: { number: string; passes: string },
  input: AggregateInput,
  context: CompileContext,
): Calculation {
  if (operand.kind === 'date') {
    const ms = keySql(operand, context.params, 'one').sql
    return single(plain(name, ifPasses(`toNullable(${ms})`, passes)), 'date')
  }
  if (isNumeric(operand)) return ofNumbers(plain(name, number))
  const { exists } = keySql(operand, context.params, 'one')
  const condition = sqlAnd([exists, passes])
  const text = shownText(operand, context)
  const [pick, order] =
    name === 'min' ? (['argMinIf', input.place] as const) : (['argMaxIf', input.firstness] as const)
  const picked = (by: string) => plain(pick, `${text}, (${by}, ${order}), ${condition}`)
  const date = `if(${mayBeDateSql(text, context)}, ${readDateSql(text, context)}, NULL)`
  return {
    aggregates: [
      countOf(condition),
      plain('count', number),
      plain(name, number),
      picked(foldExpression(text)),
      plain('countIf', sqlAnd([`isNotNull(${date})`, condition])),
      picked(`ifNull(${date}, 0)`),
    ],
    result: ([count, numbers, number, text, dates, date]) =>
      `multiIf(${count} = 0, '', ${count} = ${numbers}, ${doubleText(number ?? '')}, ${count} = ${dates}, ${date}, ${text})`,
    cell: 'text',
    empty: "''",
  }
}

/** Share of all rows, rounded half up, in whole numbers. */
function share(counted: Aggregate, input: AggregateInput, context: CompileContext): Calculation {
  const known = input.total === null ? [] : [plain('max', input.total)]
  const asked = () => context.subSelects.scalar(`SELECT count() ${input.from([])}`)
  const total = input.total === null ? asked() : undefined
  return {
    aggregates: [counted, ...known],
    result: ([count, all = total]) =>
      `if(${all} = 0, NULL, intDivOrZero(${count} * 20000 + ${all}, ${all} * 2) / 100)`,
    cell: 'number',
    empty: NO_NUMBER,
  }
}

/** True when no value can be anything but a number. */
function isNumeric(operand: Operand): boolean {
  if (operand.kind === 'size') return true
  if (operand.kind !== 'values') return false
  const sources = operand.spellings.flat()
  return sources.every((source) => source.kind === 'double' || source.isNumber === true)
}

/** Different values in order of first appearance. */
function values(
  operand: Operand,
  passes: string,
  input: AggregateInput,
  context: CompileContext,
): Calculation {
  const { texts, exists } = valueTexts(operand, context)
  const folded = `arrayMap(text -> ${foldExpression('text')}, ${texts})`
  const placed = `arrayMap((text, at) -> (${input.firstness}, -toInt64(at), text), ${texts}, arrayEnumerate(${texts}))`
  const argument = `mapFromArrays(${folded}, ${placed}), ${sqlAnd([exists, passes])}`
  return {
    aggregates: [plain('maxMapIf', argument)],
    result: ([found]) =>
      `arrayStringConcat(arrayMap(value -> value.3, arraySlice(arrayReverseSort(mapValues(${found})), 1, ${MAX_VALUES})), ', ')`,
    cell: 'text',
    empty: "''",
  }
}

/** One text a value; every tag of a row is one. */
function valueTexts(
  operand: Operand,
  context: CompileContext,
): { readonly texts: string; readonly exists: string } {
  const { exists } = keySql(operand, context.params, 'one')
  const texts =
    operand.kind === 'perLog'
      ? perLogList(operand, context.params)
      : `[${shownText(operand, context)}]`
  return { texts, exists }
}

function moments(
  name: 'start time' | 'end time' | 'time',
  passes: string,
  { times }: AggregateInput,
): Calculation {
  if (times === null) {
    const cell = name === 'time' ? 'number' : 'date'
    const empty = name === 'time' ? NO_NUMBER : NO_DATE
    return { aggregates: [], result: () => empty, cell, empty }
  }
  const ms = (nanos: string) => ifPasses(`toNullable(${floorDivision(nanos, 1_000_000)})`, passes)
  const first = plain('min', ms(times.start))
  const last = plain('max', ms(times.end))
  if (name !== 'time') return single(name === 'start time' ? first : last, 'date')
  return {
    aggregates: [first, last],
    result: ([start, end]) => `(${end} - ${start})`,
    cell: 'number',
    empty: NO_DATE,
  }
}
