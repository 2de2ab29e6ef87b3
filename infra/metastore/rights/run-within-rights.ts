// Whoever changes rights gives and takes only what he holds himself, whichever command does it
// (docs/decisions/0044). Judged by the effect: rights before and after, in the transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../schemas/users.ts'
import type { Tables } from '../../database/tables.ts'
import { readVersions } from '../counters.ts'
import { readAllSettings } from '../settings/setting-changes.ts'
import { EMPTY_TREE, loadTree } from '../tree/tree-cache.ts'
import { findExcess } from './find-excess.ts'
import { loadSecurity } from './security-state.ts'

/** `actor`: as he signed in, which may be seconds ago: whoever was disabled, removed or is no
 *  administrator any more since then changes nothing. Fails with rights.missing, rights.exceeded,
 *  and what `work` fails with. */
export async function runWithinRights<T>(
  transaction: Transaction<Tables>,
  actor: UserRecord,
  work: () => Promise<T>,
): Promise<T> {
  if (actor.id === ANONYMOUS_USER.id) {
    if ((await readIsOn(transaction)) !== 'false') throw new Failure('rights.missing')
    return await work()
  }
  const versions = await readVersions(transaction)
  const before = await loadSecurity(transaction)
  const now = before.usersById.get(actor.id)
  const isStill = now?.isEnabled === true && (now.isAdministrator || !actor.isAdministrator)
  if (!isStill) throw new Failure('rights.missing')
  if (actor.isAdministrator) return await work()
  const wasOn = await readIsOn(transaction)
  const done = await work()
  // With security off, everybody is an administrator.
  if ((await readIsOn(transaction)) !== wasOn)
    throw new Failure('rights.exceeded', { right: 'all rights' })
  if ((await readVersions(transaction)).security === versions.security) return done
  const after = await loadSecurity(transaction)
  const tree = await loadTree(transaction, EMPTY_TREE, 0)
  const right = findExcess({ before, after, tree, actor })
  if (right !== undefined) throw new Failure('rights.exceeded', { right })
  return done
}

async function readIsOn(transaction: Transaction<Tables>): Promise<string | undefined> {
  return (await readAllSettings(transaction))['system.security']
}
