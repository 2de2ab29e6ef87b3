// Messages and attempts that are older than a month; called now and then. What is still on its way
// stays.
import type { PortalTransaction } from '../database/open.ts'

const KEPT_MS = 30 * 86_400_000

export async function forgetOldMessages(
  transaction: PortalTransaction,
  nowMs: number,
): Promise<void> {
  const old = nowMs - KEPT_MS
  await transaction.deleteFrom('webhook_attempts').where('at_ms', '<', old).execute()
  await transaction.deleteFrom('told_events').where('at_ms', '<', old).execute()
  await transaction
    .deleteFrom('webhook_messages')
    .where('state', '<>', 'pending')
    .where('event_id', 'in', (eb) =>
      eb.selectFrom('webhook_events').select('id').where('created_ms', '<', old),
    )
    .execute()
  await transaction
    .deleteFrom('webhook_events')
    .where('created_ms', '<', old)
    .where('id', 'not in', (eb) =>
      eb.selectFrom('webhook_messages').select('webhook_messages.event_id'),
    )
    .execute()
}
