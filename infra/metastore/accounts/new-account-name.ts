// Whether a name may be given to a new listener account (docs/decisions/0024).
import type { Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'

/** Fails with object.invalid (characters), object.looks_alike. */
export async function requireNewAccountName(
  transaction: Transaction<Tables>,
  name: string,
): Promise<void> {
  requireNameCharacters('account', name)
  const accounts = transaction.selectFrom('listener_accounts').select(['name', 'name_folded'])
  refuseAlike('account', name, await accounts.where('removed_ms', 'is', null).execute())
}
