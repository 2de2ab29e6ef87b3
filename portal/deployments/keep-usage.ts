// Reported hours as rows, and the sums by day of an organization beside them: what an hour was
// before is taken off in the same transaction, so that the sums are exact however often and in
// whatever order hours are reported and corrected.
import { sql } from 'kysely'
import { jsonRows } from '../database/json-rows.ts'
import type { PortalTransaction } from '../database/open.ts'
import type { UsageHourRow } from '../database/tables.ts'

export type Usage = UsageHourRow & { readonly organization_id: string }

const COLUMNS = {
  deployment: 'bigint',
  hour: 'bigint',
  source: 'text',
  events: 'bigint',
  bytes: 'bigint',
  organization_id: 'text',
} as const

/** Of several rows of one hour and source the last counts. */
export async function keepUsage(
  transaction: PortalTransaction,
  usage: readonly Usage[],
): Promise<void> {
  const last = new Map(usage.map((row) => [`${row.deployment} ${row.hour} ${row.source}`, row]))
  if (last.size === 0) return
  const reported = jsonRows(transaction, COLUMNS, [...last.values()])
  await sql`insert into usage_days (organization_id, day, events, bytes)
    select r.organization_id, r.hour / 24,
      sum(r.events - coalesce(u.events, 0)), sum(r.bytes - coalesce(u.bytes, 0))
    from ${reported} as r
    left join usage_hours as u
      on u.deployment = r.deployment and u.hour = r.hour and u.source = r.source
    where u.hour is null or u.events <> r.events or u.bytes <> r.bytes
    group by 1, 2
    on conflict (organization_id, day) do update set
      events = usage_days.events + excluded.events, bytes = usage_days.bytes + excluded.bytes
  `.execute(transaction)
  await sql`insert into usage_hours (deployment, hour, source, events, bytes)
    select deployment, hour, source, events, bytes from ${reported} as r where true
    on conflict (deployment, hour, source) do update set
      events = excluded.events, bytes = excluded.bytes
      where usage_hours.events <> excluded.events or usage_hours.bytes <> excluded.bytes
  `.execute(transaction)
}
