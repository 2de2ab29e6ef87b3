// What the portal has acknowledged, by hour of receipt. What is due is the difference to the
// counters, which are durable themselves: no queue can disagree with them (docs/decisions/0060).
import type { Database, DatabaseTransaction } from '../database/port.ts'

export type Amount = { readonly events: number; readonly bytes: number }
/** By hours since 1970, UTC. */
export type Hours = ReadonlyMap<number, Amount>
export type HourAmount = Amount & { readonly hour: number }

const HOURS_AT_ONCE = 200

export type Reported = {
  /** By this deployment. */
  readonly own: Hours
  /** To the same portal under other licences before: the portal has these hours already. */
  readonly others: Hours
}

export async function readReported(
  db: Database['read'],
  {
    portalKey,
    deploymentId,
    fromHour,
  }: { readonly portalKey: string; readonly deploymentId: string; readonly fromHour: number },
): Promise<Reported> {
  const rows = await db
    .selectFrom('reported_hours')
    .select(['deployment_id', 'hour', 'events', 'bytes'])
    .where('portal_key', '=', portalKey)
    .where('hour', '>=', fromHour)
    .execute()
  const own = new Map<number, Amount>()
  const others = new Map<number, Amount>()
  for (const row of rows) {
    const sums = row.deployment_id === deploymentId ? own : others
    const hour = Number(row.hour)
    const before = sums.get(hour) ?? { events: 0, bytes: 0 }
    sums.set(hour, {
      events: before.events + Number(row.events),
      bytes: before.bytes + Number(row.bytes),
    })
  }
  return { own, others }
}

export async function markReported(
  transaction: DatabaseTransaction,
  { portalKey, deploymentId }: { readonly portalKey: string; readonly deploymentId: string },
  hours: readonly HourAmount[],
): Promise<void> {
  const rows = hours.map(({ hour, events, bytes }) => ({
    ...{ deployment_id: deploymentId, hour, portal_key: portalKey, events, bytes },
  }))
  for (let at = 0; at < rows.length; at += HOURS_AT_ONCE)
    await transaction
      .insertInto('reported_hours')
      .values(rows.slice(at, at + HOURS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['deployment_id', 'hour']).doUpdateSet((eb) => ({
          events: eb.ref('excluded.events'),
          bytes: eb.ref('excluded.bytes'),
          portal_key: eb.ref('excluded.portal_key'),
        })),
      )
      .execute()
}

/** Older ones are never compared again. */
export async function dropReported(
  transaction: DatabaseTransaction,
  beforeHour: number,
): Promise<void> {
  await transaction.deleteFrom('reported_hours').where('hour', '<', beforeHour).execute()
}

/** What the portal does not have yet, the oldest first. An hour of which the counters know nothing
 *  any more stays as it was reported: it was stored then. */
export function findDue(counted: Hours, { own, others }: Reported): HourAmount[] {
  const due: HourAmount[] = []
  for (const [hour, { events, bytes }] of counted) {
    const elsewhere = others.get(hour) ?? { events: 0, bytes: 0 }
    const known = own.get(hour) ?? { events: 0, bytes: 0 }
    const wanted = {
      events: Math.max(0, events - elsewhere.events),
      bytes: Math.max(0, bytes - elsewhere.bytes),
    }
    if (wanted.events !== known.events || wanted.bytes !== known.bytes)
      due.push({ hour, ...wanted })
  }
  return due.sort((a, b) => a.hour - b.hour)
}
