// What a user leaves when he is removed: nothing that opens anything.
import type { Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion } from '../counters.ts'

export async function forgetAccessOf(
  transaction: Transaction<Tables>,
  userId: number,
): Promise<void> {
  for (const table of ['api_tokens', 'second_factors', 'sessions', 'oidc_identities'] as const)
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
  await raiseVersion(transaction, 'access')
}
