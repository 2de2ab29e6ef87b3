// The order of values (search-language 2.4, 3.7) as ORDER BY keys that are never NULL: numbers by value, then addresses by
// address, then priorities by rank, then other texts without letter case; missing values last in both directions.
import { foldExpression } from '../../../schemas/store/text-index.ts'
import { doubleText, type ValueSource } from './column-sql.ts'
import { fractionFits, isNumberSql } from './number-bound.ts'
import { type Operand, sourceExists } from './operand.ts'
import type { SortKey, TableColumn } from './plan.ts'
import { rankSql } from './priority.ts'
import type { SqlParams } from './sql-params.ts'
import { keySql } from './stages/key-sql.ts'

/** None: all rows are equal. */
export function sortKeys(
  operand: Operand,
  direction: SortKey['direction'],
  params: SqlParams,
): SortKey[] {
  switch (operand.kind) {
    case 'size':
      return [{ sql: operand.sql, direction }]
    case 'date':
      return operand.unitsPerMs === 1
        ? dateKeys(operand.sql, direction)
        : [{ sql: operand.sql, direction }]
    case 'perLog':
      return valueKeys([{ kind: 'text', sql: keySql(operand, params, 'one').sql }], direction)
    case 'values':
      return valueKeys(operand.spellings.flat(), direction)
  }
}

/** Of a column of a table. */
export function columnKeys({ id, cell }: TableColumn, direction: SortKey['direction']): SortKey[] {
  if (cell === 'date') return dateKeys(id, direction)
  return valueKeys([{ kind: cell === 'text' ? 'text' : 'double', sql: id }], direction)
}

/** Of tables, where a group may have none. */
function dateKeys(sql: string, direction: SortKey['direction']): SortKey[] {
  return [
    { sql: `isNull(${sql})`, direction: 'ASC' },
    { sql: `ifNull(${sql}, 0)`, direction },
  ]
}

/** How a value is sorted: by kind, then as a number, what is more than that number, then as text. */
type Place = {
  readonly kind: string
  readonly number: string
  readonly more: string
  readonly text: string
}

const NOTHING: Place = { kind: '0', number: '0', more: 'toDecimal256(0, 38)', text: "''" }

function valueKeys(sources: readonly ValueSource[], direction: SortKey['direction']): SortKey[] {
  if (sources.length === 0) return []
  const exists = sources.map((source) =>
    source.kind === 'double' ? `NOT ifNull(isNaN(${source.sql}), 1)` : sourceExists(source),
  )
  const places = sources.map(placeOf)
  const key = (part: keyof Place): SortKey => ({
    sql: choose(
      exists,
      places.map((place) => place[part]),
      NOTHING[part],
    ),
    direction,
  })
  const missing: SortKey = { sql: `NOT (${exists.join(' OR ')})`, direction: 'ASC' }
  const isNumeric = sources.every(({ kind }) => kind === 'double')
  return isNumeric
    ? [missing, key('number')]
    : [missing, key('kind'), key('number'), key('more'), key('text')]
}

/** That of the first source that has a value. */
function choose(exists: readonly string[], values: readonly string[], otherwise: string): string {
  const cases = exists.flatMap((condition, index) => [condition, values[index] ?? otherwise])
  return `multiIf(${cases.join(', ')}, ${otherwise})`
}

function placeOf({ kind, sql }: ValueSource): Place {
  if (kind === 'double') {
    const number = `ifNull(toFloat64(${sql}), 0)`
    return { ...NOTHING, number }
  }
  const isNumber = isNumberSql(sql)
  const address = `toIPv6OrNull(${sql})`
  const folded = foldExpression(sql)
  const rank = rankSql(folded)
  return {
    kind: `multiIf(${isNumber}, 0, isNotNull(${address}), 1, ${rank} != 0, 2, 3)`,
    number: `if(${isNumber}, ifNull(toFloat64OrNull(${sql}), 0), 0)`,
    more: remainder(sql),
    text: `multiIf(${isNumber}, '', isNotNull(${address}), hex(ifNull(${address}, toIPv6('::'))), ${rank} != 0, char(${rank}), ${folded})`,
  }
}

/** What a number as text is above the double nearest to it: orders numbers of more digits than a double holds. */
function remainder(text: string): string {
  const decimal = (number: string) => `toDecimal256OrNull(${number}, 38)`
  const nearest = decimal(doubleText(`toFloat64OrNull(${text})`))
  const isLong = `length(${text}) > 15 AND ${isNumberSql(text)} AND ${fractionFits(text)}`
  return `if(${isLong}, ifNull(${decimal(text)} - ${nearest}, toDecimal256(0, 38)), toDecimal256(0, 38))`
}
