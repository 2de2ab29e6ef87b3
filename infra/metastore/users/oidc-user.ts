// The user that a provider means: found by issuer and subject, which never change, not by a name
// that somebody else may have tomorrow (docs/decisions/0045).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { addUser, editUser } from './user-changes.ts'

export type OidcIdentity = {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly displayName: string | undefined
  /** Of ours; undefined: groups are not the provider's to say. */
  readonly groups: readonly string[] | undefined
}

/** Gives the user's id. Fails with sign_in.no_user, sign_in.name_taken, sign_in.failed (disabled),
 *  and as addUser does. */
export async function takeOidcUser(
  transaction: Transaction<Tables>,
  identity: OidcIdentity,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<number> {
  const { issuer, subject, name, displayName } = identity
  const groups = identity.groups && (await existingGroups(transaction, identity.groups))
  const known = await transaction
    .selectFrom('oidc_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.name', 'u.is_enabled'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()
  if (known !== undefined) {
    if (known.is_enabled === 0) throw new Failure('sign_in.failed')
    await setGroups(transaction, known, groups)
    return known.id
  }
  const user = await transaction
    .selectFrom('users as u')
    .leftJoin('oidc_identities as i', 'i.user_id', 'u.id')
    .select(['u.id', 'u.name', 'u.password_hash', 'u.is_enabled', 'i.subject'])
    .where('u.name_folded', '=', foldName(name))
    .where('u.removed_ms', 'is', null)
    .executeTakeFirst()
  if (user === undefined && !mayCreate) throw new Failure('sign_in.no_user', { name })
  if (user !== undefined && (user.password_hash !== '' || user.subject !== null))
    throw new Failure('sign_in.name_taken', { name })
  if (user?.is_enabled === 0) throw new Failure('sign_in.failed')
  const userId =
    user?.id ?? (await addUser(transaction, name, { passwordHash: '', displayName, groups }))
  if (user !== undefined) await setGroups(transaction, user, groups)
  await transaction
    .insertInto('oidc_identities')
    .values({ user_id: userId, issuer, subject })
    .execute()
  return userId
}

/** Only where they are others: each change of a user is read by every process. */
async function setGroups(
  transaction: Transaction<Tables>,
  user: { readonly id: number; readonly name: string },
  groups: readonly string[] | undefined,
): Promise<void> {
  if (groups === undefined) return
  const rows = await transaction
    .selectFrom('group_members as m')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select('g.name')
    .where('m.member_kind', '=', 'user')
    .where('m.member_id', '=', user.id)
    .execute()
  const before = rows.map((row) => row.name).sort()
  if (JSON.stringify(before) === JSON.stringify([...groups].sort())) return
  await editUser(transaction, user.name, { groups })
}

/** As they are spelled here; a group that is not here gives nothing. */
async function existingGroups(
  transaction: Transaction<Tables>,
  names: readonly string[],
): Promise<string[]> {
  const wanted = new Set(names.map(foldName))
  const rows = await transaction.selectFrom('user_groups').select(['name', 'name_folded']).execute()
  return rows.filter((row) => wanted.has(row.name_folded)).map((row) => row.name)
}
