import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { findBookAccount } from '../../../infra/metastore/address-book/book-accounts.ts'
import { addMessages, type NewMessage } from '../../../infra/metastore/monitors/alert-messages.ts'
import { ACCOUNT_SETTINGS } from '../../../schemas/address-book.ts'
import { alertNotice } from '../../../schemas/monitors/notice.ts'

/** One message to each of the targets that there is and that is enabled, once each. */
export async function addMessagesTo(
  transaction: DatabaseTransaction,
  targets: readonly string[],
  message: Omit<NewMessage, 'target_id' | 'target_name' | 'isGathered'>,
  nowMs: number,
): Promise<void> {
  const isUrgent = goesAtOnce(message)
  const messages = new Map<number, NewMessage>()
  for (const name of targets) {
    const target = await findBookAccount(transaction, name)
    if (target?.kind !== 'alertTarget' || !target.isEnabled) continue
    const { digest } = ACCOUNT_SETTINGS.alertTarget.parse(target.settings)
    messages.set(target.id, {
      ...{ ...message, target_id: target.id, target_name: target.name },
      isGathered: digest !== '' && !isUrgent,
    })
  }
  await addMessages(transaction, [...messages.values()], nowMs)
}

/** Nothing that somebody must see to now is gathered. */
function goesAtOnce({ event, notice }: Pick<NewMessage, 'event' | 'notice'>): boolean {
  const { severity } = alertNotice.parse(JSON.parse(notice))
  return event === 'escalated' || severity === 'critical'
}
