// An account by its name, whatever it is: of the kinds that the caller may not change there is none
// (docs/decisions/0047).

import { mayDo } from '../../../infra/access/may-do.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import {
  type BookAccount,
  findBookAccount,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { CommandTools } from './serve-command.ts'

/** Fails with object.not_found. */
export async function findAnyAccount(
  transaction: DatabaseTransaction,
  name: string,
  { caller }: Pick<CommandTools, 'caller'>,
): Promise<'listener' | BookAccount> {
  const account = mayDo(caller.user, 'data.accounts')
    ? await findBookAccount(transaction, name)
    : undefined
  if (account !== undefined) return account
  if (mayDo(caller.user, 'data.listeners')) return 'listener'
  throw new Failure('object.not_found', { kind: 'account', name })
}
