// Since when the events of a policy are to be sent on: from this moment on, whenever the forwarder
// gets to the policy (docs/decisions/0114).
import type { Transaction } from 'kysely'
import type { Database } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'

/** Of a policy that begins to send its events on, or ends it (undefined). What was sent on before
 *  is forgotten. */
export async function noteForwardStart(
  transaction: Transaction<Tables>,
  policyId: number,
  sinceMs: number | undefined,
): Promise<void> {
  await transaction.deleteFrom('forward_starts').where('policy_id', '=', policyId).execute()
  await transaction.deleteFrom('forward_positions').where('policy_id', '=', policyId).execute()
  if (sinceMs === undefined) return
  const row = { policy_id: policyId, since_ms: sinceMs }
  await transaction.insertInto('forward_starts').values(row).execute()
}

/** By policy. None is of one that began under a version that did not note it. */
export async function readForwardStarts(
  db: Database['read'],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.selectFrom('forward_starts').selectAll().execute()
  return new Map(rows.map(({ policy_id, since_ms }) => [policy_id, Number(since_ms)]))
}
