// Digests of the rows of a unit, by log (docs/decisions/0111): the sum of a keyed hash
// (SipHash-2-4, 128 bits) of each row. Without the key nobody finds other rows with the same sum.

import { EVENT_COLUMNS } from '../../schemas/event-row.ts'
import type { Bounds, EvidenceUnit, LogDigest } from '../../schemas/keep/evidence.ts'
import type { Store } from '../store/port.ts'

const DAY_SECONDS = 86_400
/** Beside searches and the writer. */
const SETTINGS = { max_threads: 1 }

/** The store without conditions of what is hidden: it is there until it is deleted. */
export type DigestStore = Pick<Store, 'query' | 'catchUp'>

export type UnitDigest = {
  readonly logs: ReadonlyMap<number, LogDigest>
  /** Not from below the bounds: received later. */
  readonly laterRows: number
}

/** Without `columns`: what is in it is in the others, too, and it takes as long as all of them ten
 *  times. */
const HASHED = EVENT_COLUMNS.map(({ name }) => name).filter((name) => name !== 'columns')

/** `key`: 16 bytes. `condition`: SQL; only rows for which it is true. */
export async function readUnitDigest(
  store: DigestStore,
  unit: EvidenceUnit,
  options: {
    readonly key: Buffer
    readonly bounds: Bounds
    readonly condition?: string
    readonly timeoutMs: number
    readonly signal: AbortSignal
  },
): Promise<UnitDigest> {
  const { key, bounds, condition = '1', timeoutMs, signal } = options
  await store.catchUp('events')
  const halves =
    '(reinterpretAsUInt64(unhex({k0: String})), reinterpretAsUInt64(unhex({k1: String})))'
  const hashed = HASHED.map((name) => `\`${name}\``).join(', ')
  const covered = coveredSql(bounds)
  const rows = await store.query<{ log_id: number; events: string; digest: string; later: string }>(
    {
      sql: `SELECT log_id, countIf(covered) AS events, countIf(NOT covered) AS later,
      toString(sumIf(reinterpretAsUInt128(row_hash), covered)) AS digest FROM (
        SELECT log_id, ${covered} AS covered, sipHash128Keyed(${halves}, ${hashed}) AS row_hash FROM events
        WHERE policy = {policy: UInt16} AND received >= toDateTime64({from: Int64}, 3, 'UTC')
        AND received < toDateTime64({to: Int64}, 3, 'UTC') AND (${condition})
      ) GROUP BY log_id ORDER BY log_id`,
      params: {
        ...{ policy: unit.policy, from: unit.day * DAY_SECONDS, to: (unit.day + 1) * DAY_SECONDS },
        ...{ k0: key.toString('hex', 0, 8), k1: key.toString('hex', 8, 16) },
      },
      settings: SETTINGS,
      ...{ timeoutMs, signal },
    },
  )
  const logs = new Map<number, LogDigest>()
  let laterRows = 0
  for (const { log_id: log, events, digest, later } of rows) {
    laterRows += Number(later)
    if (Number(events) > 0) logs.set(log, { log, rows: Number(events), digest })
  }
  return { logs, laterRows }
}

/** SQL over `events`: true for what is from below the places. */
export function coveredSql(bounds: Bounds): string {
  const below = bounds.map(
    ([partition, offset]) =>
      `(\`partition\` = ${Math.trunc(partition)} AND \`offset\` < ${BigInt(offset)})`,
  )
  return below.length === 0 ? '0' : `(${below.join(' OR ')})`
}

/** Undefined: the same. */
export function differenceOf(
  expected: ReadonlyMap<number, LogDigest>,
  found: ReadonlyMap<number, LogDigest>,
): readonly { readonly log: number; readonly expected: number; readonly found: number }[] {
  const logs = [...new Set([...expected.keys(), ...found.keys()])].sort((a, b) => a - b)
  return logs.flatMap((log) => {
    const [before, now] = [expected.get(log), found.get(log)]
    if (before?.rows === now?.rows && before?.digest === now?.digest) return []
    return [{ log, expected: before?.rows ?? 0, found: now?.rows ?? 0 }]
  })
}
