// Whether a name may be given to a new account (docs/decisions/0024). Listener accounts and
// accounts of the address book have one name space: a command that takes a name never means two
// (docs/decisions/0047).
import type { Transaction } from 'kysely'
import { BOOK_ACCOUNT_KINDS, isBookAccountKind } from '../../../schemas/address-book.ts'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'

/** Fails with object.invalid (characters), object.name_taken, object.looks_like_another. */
export async function requireNewAccountName(
  transaction: Transaction<Tables>,
  name: string,
): Promise<void> {
  requireNameCharacters('account', name)
  const listeners = await transaction
    .selectFrom('listener_accounts')
    .select(['name', 'name_folded'])
    .where('removed_ms', 'is', null)
    .execute()
  const book = await transaction
    .selectFrom('book_accounts')
    .select(['name', 'name_folded', 'kind'])
    .execute()
  const all = [...listeners.map((it) => ({ ...it, kind: '' })), ...book]
  const taken = all.find((it) => it.name_folded === foldName(name))
  if (taken !== undefined) {
    const kind = isBookAccountKind(taken.kind) ? BOOK_ACCOUNT_KINDS[taken.kind] : 'listener account'
    throw new Failure('object.name_taken', { kind, name: taken.name })
  }
  refuseAlike('account', name, all)
}
