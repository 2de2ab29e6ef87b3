// Tests of moments (search-language#dates-and-time-zones): compared as times, never as text.
import type { CallTime } from '../../../../schemas/time/call-time.ts'
import { patternText } from '../../parse/input.ts'
import { raiseQuery } from '../../parse/raise-query.ts'
import type { Check, CompareOperator, Value } from '../../tree.ts'
import { FALSE, sqlAnd, sqlNot, sqlOr, TRUE } from '../boolean-sql.ts'
import type { SqlParams } from '../sql-params.ts'
import type { Operand } from './operand.ts'

/** Of a text in the system date format, in ISO 8601, or told from now. */
export type DateReader = (text: string) => CallTime

type DateOperand = Operand & { readonly kind: 'date' }
type Context = { readonly params: SqlParams; readonly readDate: DateReader }

/** Times that fit into a DateTime64(9). */
const LAST_MS = 9_223_372_036_000

export function dateTestSql(operand: DateOperand, check: Check, context: Context): string {
  const { sql, unitsPerMs } = operand
  // Columns of tables may be NULL, the time of an event is not.
  const isThere = unitsPerMs === 1 ? `isNotNull(${sql})` : TRUE
  const compare = (operator: CompareOperator, value: Value) => {
    const condition = `${sql} ${operator} ${bound(operand, value, context)}`
    return unitsPerMs === 1 ? `ifNull(${condition}, 0)` : `(${condition})`
  }
  switch (check.kind) {
    case 'exists':
      return check.isNegated ? sqlNot(isThere) : isThere
    case 'compare':
      return compare(check.operator, check.value)
    case 'between':
      return sqlAnd([compare('>=', check.low), compare('<=', check.high)])
    case 'list': {
      const any = sqlOr(check.values.map((value) => compare('=', value)))
      return check.isNegated ? sqlAnd([isThere, sqlNot(any)]) : any
    }
    case 'text':
    case 'matches':
    case 'within':
      return raiseQuery('a time is compared with =, !=, <, >, in or between', check.value.start)
    case 'column':
    case 'subQuery':
      return FALSE
  }
}

function bound({ unitsPerMs }: DateOperand, value: Value, { params, readDate }: Context): string {
  const text = patternText(value.pattern)
  if (value.pattern.some((part) => part.kind !== 'text'))
    return raiseQuery('a time has no wildcards', value.start)
  const isMs = /^\d{1,15}$/.test(text)
  const time = isMs ? ({ kind: 'time', ms: Number(text) } as const) : readDate(text)
  if (time.kind === 'fault') return raiseQuery(`a time is expected: ${time.reason}`, value.start)
  if (time.kind === 'other') {
    const forms = 'the system date format, ISO 8601 or milliseconds'
    const toldFromNow = 'one told from now, such as now-2h or -1d@d'
    return raiseQuery(`a time in ${forms} is expected, or ${toldFromNow}`, value.start)
  }
  const clamped = Math.min(Math.max(Math.trunc(time.ms), -LAST_MS), LAST_MS)
  if (unitsPerMs === 1) return params.add(String(clamped), 'Int64')
  return `fromUnixTimestamp64Nano(${params.add(String(BigInt(clamped) * 1_000_000n), 'Int64')}, 'UTC')`
}
