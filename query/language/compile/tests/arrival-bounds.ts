// Where events came in the event log, as conditions on `events`: for reads that must see each event
// once, late ones too, whatever their time says.
import type { Arrived } from '../../event-place.ts'
import type { ArrivalBounds } from '../../search-input.ts'
import { sqlAnd } from '../boolean-sql.ts'
import type { SqlParams } from '../sql-params.ts'
import { receiptBounds } from './time-bounds.ts'

const START = { offset: 0, index: 0 }

export function arrivalBounds(bounds: ArrivalBounds | undefined, params: SqlParams): string[] {
  if (bounds === undefined) return []
  const { from = [], to, received = { fromMs: null, toMs: null } } = bounds
  const byReceipt = receiptBounds({ startMs: received.fromMs, endMs: received.toMs }, params)
  return to === undefined ? byReceipt : [betweenSql(from, to, params), ...byReceipt]
}

/** Without a partition nothing has arrived. */
function betweenSql(from: Arrived, to: Arrived, params: SqlParams): string {
  const each = to.map((end, partition) => {
    const start = from[partition] ?? START
    const conditions = [
      `partition = ${numberSql(partition, params)}`,
      ...(start.offset === 0 && start.index === 0 ? [] : [notBelowSql(start, params)]),
      belowSql(end, params),
    ]
    return `(${sqlAnd(conditions)})`
  })
  return each.length === 0 ? '0' : `(${each.join(' OR ')})`
}

function belowSql({ offset, index }: Arrived[number], params: SqlParams): string {
  const at = numberSql(offset, params)
  return `(offset < ${at} OR (offset = ${at} AND \`index\` < ${numberSql(index, params)}))`
}

/** The plain bound is what the engine's index of offsets answers. */
function notBelowSql({ offset, index }: Arrived[number], params: SqlParams): string {
  const at = numberSql(offset, params)
  return `offset >= ${at} AND (offset > ${at} OR \`index\` >= ${numberSql(index, params)})`
}

function numberSql(value: number, params: SqlParams): string {
  return params.add(String(value), 'UInt64')
}
