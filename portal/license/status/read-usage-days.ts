// Bytes by day, of an organization or of one of its deployments, as the forecast takes them.
import { sql } from 'kysely'
import type { PortalReader } from '../../database/open.ts'
import type { UsageHistory } from '../forecast/forecast-usage.ts'

const DAY_MS = 86_400_000
/** The forecast looks no further back; a period is shorter. */
const MAX_DAYS = 400

export type UsageOf = {
  readonly organizationId: string
  /** Number of one deployment; undefined: all of them. */
  readonly deployment?: number | undefined
}

/** From the first day with a report on, `MAX_DAYS` at most. */
export async function readUsageDays(
  db: PortalReader,
  of: UsageOf,
  nowMs: number,
): Promise<UsageHistory> {
  const today = Math.floor(nowMs / DAY_MS)
  const rows = await (of.deployment === undefined
    ? readSums(db, of.organizationId, today)
    : readOwn(db, of.deployment, today))
  const byDay = new Map(rows.map(({ day, bytes }) => [Number(day), Number(bytes)]))
  const first = Math.min(today, ...byDay.keys())
  const days = Array.from({ length: today - first }, (_, at) => byDay.get(first + at) ?? null)
  return { from: dateOfDay(first), days, todayBytes: byDay.get(today) ?? 0 }
}

function readSums(db: PortalReader, organizationId: string, today: number) {
  return db
    .selectFrom('usage_days')
    .select(['day', 'bytes'])
    .where('organization_id', '=', organizationId)
    .where('day', '>', today - MAX_DAYS)
    .where('day', '<=', today)
    .execute()
}

function readOwn(db: PortalReader, deployment: number, today: number) {
  const day = sql<number>`hour / 24`
  return db
    .selectFrom('usage_hours')
    .select([day.as('day'), sql<number | string>`sum(bytes)`.as('bytes')])
    .where('deployment', '=', deployment)
    .where('hour', '>', (today - MAX_DAYS) * 24)
    .where('hour', '<', (today + 1) * 24)
    .groupBy(day)
    .execute()
}

export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
