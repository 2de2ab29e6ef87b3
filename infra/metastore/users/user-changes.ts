// Changes of users, each inside the caller's write transaction. Passwords come hashed: hashing
// takes too long for a lock.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { GROUP_EVERYONE } from '../../../schemas/users.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { forgetAccessOf } from '../access/forget-user.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { requireAdministrator } from '../rights/require-administrator.ts'
import { forgetSearchesOf } from '../searches/saved-searches.ts'
import { findUser, requireUser } from './find-user.ts'
import { setAdministeredGroups } from './group-links.ts'
import { requireNewUserName } from './new-user-name.ts'
import { findPolicyId } from './policy-changes.ts'
import { requireGroups } from './require-groups.ts'

export type UserChange = {
  readonly displayName?: string | undefined
  readonly passwordHash?: string | undefined
  readonly isEnabled?: boolean | undefined
  /** Names; replaces the list. Everybody is in `everyone` without being named. */
  readonly groups?: readonly string[] | undefined
  /** Name; '' takes the user's own policy away, those of the groups stay. */
  readonly policy?: string | undefined
  /** Goes on when the password changes: the session that changes it. */
  readonly keptSession?: string | undefined
  /** Names of groups whose members he may change; replaces the list. */
  readonly administeredGroups?: readonly string[] | undefined
}

/** Fails with object.exists, object.looks_alike, object.invalid (name), object.not_found (group,
 *  policy). */
export async function addUser(
  transaction: Transaction<Tables>,
  name: string,
  change: UserChange & { readonly passwordHash: string },
): Promise<number> {
  if ((await findUser(transaction, name)) !== undefined)
    throw new Failure('object.exists', { kind: 'user', name })
  await requireNewUserName(transaction, name)
  const id = await takeIds(transaction, 'user', 1)
  await transaction
    .insertInto('users')
    .values({
      id,
      name,
      name_folded: foldName(name),
      display_name: change.displayName ?? name,
      password_hash: change.passwordHash,
      policy_id: await findPolicyId(transaction, change.policy),
      is_enabled: change.isEnabled === false ? 0 : 1,
      version: 1,
      removed_ms: null,
    })
    .execute()
  await setGroups(transaction, id, change.groups ?? [])
  await setAdministeredGroups(transaction, { kind: 'user', id }, change.administeredGroups ?? [])
  await raiseVersion(transaction, 'security')
  return id
}

/** What is not given stays. Fails with object.not_found, object.last_administrator. */
export async function editUser(
  transaction: Transaction<Tables>,
  name: string,
  change: UserChange,
): Promise<void> {
  const user = await requireUser(transaction, name)
  const isEnabled = change.isEnabled ?? user.is_enabled === 1
  await transaction
    .updateTable('users')
    .set({
      display_name: change.displayName ?? user.display_name,
      password_hash: change.passwordHash ?? user.password_hash,
      policy_id:
        change.policy === undefined
          ? user.policy_id
          : await findPolicyId(transaction, change.policy),
      is_enabled: isEnabled ? 1 : 0,
      version: user.version + 1,
    })
    .where('id', '=', user.id)
    .execute()
  if (change.groups !== undefined) await setGroups(transaction, user.id, change.groups)
  if (change.passwordHash !== undefined)
    await transaction.deleteFrom('oidc_identities').where('user_id', '=', user.id).execute()
  if (!isEnabled || change.passwordHash !== undefined)
    await endSessionsOf(transaction, user.id, change.keptSession)
  if (change.administeredGroups !== undefined)
    await setAdministeredGroups(
      transaction,
      { kind: 'user', id: user.id },
      change.administeredGroups,
    )
  await raiseVersion(transaction, 'security')
  await requireAdministrator(transaction)
}

/** The row stays, so that its id is never another user's. Fails with object.not_found,
 *  object.last_administrator. */
export async function removeUser(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
): Promise<void> {
  const user = await requireUser(transaction, name)
  await transaction
    .updateTable('users')
    .set({ removed_ms: clock.nowMs(), is_enabled: 0, version: user.version + 1 })
    .where('id', '=', user.id)
    .execute()
  await setGroups(transaction, user.id, [])
  await setAdministeredGroups(transaction, { kind: 'user', id: user.id }, [])
  await forgetAccessOf(transaction, user.id)
  await forgetSearchesOf(transaction, user.id)
  await raiseVersion(transaction, 'security')
  await requireAdministrator(transaction)
}

async function setGroups(
  transaction: Transaction<Tables>,
  userId: number,
  names: readonly string[],
): Promise<void> {
  const groupIds = (await requireGroups(transaction, names)).filter(
    (id) => id !== GROUP_EVERYONE.id,
  )
  await transaction
    .deleteFrom('group_members')
    .where('member_kind', '=', 'user')
    .where('member_id', '=', userId)
    .execute()
  if (groupIds.length === 0) return
  await transaction
    .insertInto('group_members')
    .values(groupIds.map((id) => ({ group_id: id, member_kind: 'user', member_id: userId })))
    .execute()
}
