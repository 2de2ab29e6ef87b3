// Legal holds as a condition over rows of `events`.
import type { HeldEvents } from './legal-holds.ts'

/** True for rows of `events` that are held; '' when none can be. */
export function heldRowsSql(held: readonly HeldEvents[]): string {
  return held.flatMap((one) => rowsSql(one) ?? []).join(' OR ')
}

function rowsSql(held: HeldEvents): string | undefined {
  const whose = whoseSql(held)
  if (whose === undefined) return undefined
  const { fromMs, toMs } = held
  const moment = (ms: number) => `fromUnixTimestamp64Milli(${Math.trunc(ms)}, 'UTC')`
  const from = fromMs === undefined ? '' : ` AND timestamp >= ${moment(fromMs)}`
  const to = toMs === undefined ? '' : ` AND timestamp < ${moment(toMs)}`
  return `(${whose}${from}${to})`
}

/** Undefined: a folder without logs. */
export function whoseSql({ policyId, logIds }: HeldEvents): string | undefined {
  if (policyId !== undefined) return `policy = ${Math.trunc(policyId)}`
  const ids = [...new Set(logIds)].sort((a, b) => a - b)
  const runs: { first: number; last: number }[] = []
  for (const id of ids) {
    const run = runs.at(-1)
    if (run !== undefined && run.last === id - 1) run.last = id
    else runs.push({ first: id, last: id })
  }
  if (runs.length === 0) return undefined
  const within = runs.map(({ first, last }) => `log_id BETWEEN ${first} AND ${last}`)
  return `(${within.join(' OR ')})`
}
