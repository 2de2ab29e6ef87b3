import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { findBookAccount } from '../../../infra/metastore/address-book/book-accounts.ts'
import { addMessages, type NewMessage } from '../../../infra/metastore/monitors/alert-messages.ts'

/** One message to each of the targets that there is and that is enabled, once each. */
export async function addMessagesTo(
  transaction: DatabaseTransaction,
  targets: readonly string[],
  message: Omit<NewMessage, 'target_id' | 'target_name'>,
  nowMs: number,
): Promise<void> {
  const messages = new Map<number, NewMessage>()
  for (const name of targets) {
    const target = await findBookAccount(transaction, name)
    if (target?.kind !== 'alertTarget' || !target.isEnabled) continue
    messages.set(target.id, { ...message, target_id: target.id, target_name: target.name })
  }
  await addMessages(transaction, [...messages.values()], nowMs)
}
