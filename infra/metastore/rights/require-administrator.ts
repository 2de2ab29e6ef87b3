import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { Tables } from '../../database/tables.ts'
import { loadSecurity } from './security-state.ts'

/** After a change, in its transaction: writers are serial, so two changes at once cannot each leave
 *  the other's administrator. Without one nobody could undo the change. Fails with
 *  object.last_administrator. */
export async function requireAdministrator(transaction: Transaction<Tables>): Promise<void> {
  const { usersById } = await loadSecurity(transaction)
  const isLeft = [...usersById.values()].some((user) => user.isEnabled && user.isAdministrator)
  if (!isLeft) throw new Failure('object.last_administrator')
}
