// Which units hold events under a legal hold, by the counters.
import { whoseSql } from '../../infra/metastore/retention/held-rows.ts'
import type { HeldEvents } from '../../infra/metastore/retention/legal-holds.ts'
import type { RemovedUnit } from '../../infra/metastore/retention/unit-removals.ts'
import type { Store } from '../../infra/store/port.ts'
import { unitKey } from '../ledger/unit-sums.ts'

const DAY_SECONDS = 86_400
const QUARTER_MS = 900_000
const TIMEOUT_MS = 60_000

export async function readHeldUnits(
  store: Pick<Store, 'query'>,
  held: readonly HeldEvents[],
  signal: AbortSignal,
): Promise<(unit: RemovedUnit) => boolean> {
  const conditions = held.flatMap((one) => countedSql(one) ?? [])
  if (conditions.length === 0) return () => false
  const rows = await store.query<{ policy: number; day: number }>({
    sql: `SELECT DISTINCT policy, toUInt32(intDiv(toUnixTimestamp(quarter), ${DAY_SECONDS})) AS day FROM counts
      WHERE (${conditions.join(') OR (')})`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  const keys = new Set(rows.map(({ policy, day }) => unitKey({ policyId: policy, day })))
  return (unit) => keys.has(unitKey(unit))
}

function countedSql(held: HeldEvents): string | undefined {
  const whose = whoseSql(held)
  if (whose === undefined) return undefined
  const { fromMs, toMs } = held
  const quarter = (ms: number) => Math.floor(ms / QUARTER_MS) * (QUARTER_MS / 1000)
  const from =
    fromMs === undefined ? '' : ` AND toUnixTimestamp(event_quarter) >= ${quarter(fromMs)}`
  const to = toMs === undefined ? '' : ` AND toUnixTimestamp(event_quarter) <= ${quarter(toMs)}`
  return `${whose}${from}${to}`
}
