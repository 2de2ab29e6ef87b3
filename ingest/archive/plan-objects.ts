// Cuts a unit (policy, day of receipt) into what one object each holds: runs of events in the order
// of the table, of about as many bytes, so that writing and reading need little memory.
import type { Store } from '../../infra/store/port.ts'
import type { UnitPlace } from '../ledger/unit-sums.ts'

const TIMEOUT_MS = 600_000
/** Of events as they were received. */
const OBJECT_BYTES = 48_000_000
/** What a row takes beside them. */
const ROW_BYTES = 256
const DAY_SECONDS = 86_400
const PLACE = 'timestamp, partition, `offset`, `index`'

/** SQL over `events`, true for the unit's. */
export function unitSql({ policyId, day }: UnitPlace): string {
  return `policy = ${Math.trunc(policyId)} AND ${daySql(day)}`
}

/** SQL over `events`, true for what was received on the day. */
export function daySql(day: number): string {
  const from = Math.trunc(day) * DAY_SECONDS
  return `received >= toDateTime64(${from}, 3, 'UTC') AND received < toDateTime64(${from + DAY_SECONDS}, 3, 'UTC')`
}

type Bound = {
  readonly ns: string
  readonly partition: string
  readonly offset: string
  readonly index: string
}

/** Conditions over `events`: each event of the unit meets one of them, also one that comes later.
 *  None: the unit is empty. */
export async function planObjects(
  store: Pick<Store, 'query'>,
  unit: UnitPlace,
  { signal, objectBytes = OBJECT_BYTES }: { signal: AbortSignal; objectBytes?: number },
): Promise<readonly string[]> {
  const rows = await store.query<Bound>({
    sql: `SELECT toString(toUnixTimestamp64Nano(place.1)) AS ns, toString(place.2) AS partition, toString(place.3) AS offset, toString(place.4) AS index
      FROM (SELECT min((${PLACE})) AS place FROM (
        SELECT ${PLACE}, intDiv(sum(toUInt64(size) + ${ROW_BYTES}) OVER (ORDER BY ${PLACE} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), ${Math.trunc(objectBytes)}) AS object
        FROM events WHERE ${unitSql(unit)}) GROUP BY object ORDER BY object)`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return rows.map((bound, at) => {
    const next = rows[at + 1]
    // The first and the last are open.
    const parts = [
      unitSql(unit),
      ...(at === 0 ? [] : [notBelow(bound)]),
      ...(next === undefined ? [] : [`NOT (${notBelow(next)})`, atMost(next)]),
    ]
    return parts.join(' AND ')
  })
}

/** The plain bound is what the table's order answers. */
function notBelow(bound: Bound): string {
  const { partition, offset, index } = bound
  const place = [moment(bound), ...[partition, offset, index].map((it) => BigInt(it))].join(', ')
  return `timestamp >= ${moment(bound)} AND (${PLACE}) >= (${place})`
}

function atMost(bound: Bound): string {
  return `timestamp <= ${moment(bound)}`
}

function moment({ ns }: Bound): string {
  return `fromUnixTimestamp64Nano(toInt64('${BigInt(ns)}'), 'UTC')`
}
