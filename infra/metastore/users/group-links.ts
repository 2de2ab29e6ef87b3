// Members, parents and administrators of a group, inside the caller's write transaction. Parents
// are members told from the other end, administered groups are administrators told so.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { GROUP_ADMINISTRATORS, GROUP_EVERYONE } from '../../../schemas/users.ts'
import type { Tables } from '../../database/tables.ts'
import { type Principal, requirePrincipals } from './principals.ts'
import { requireGroups } from './require-groups.ts'

type Names = readonly string[]

export async function setMembers(
  transaction: Transaction<Tables>,
  groupId: number,
  names: Names,
): Promise<void> {
  await transaction.deleteFrom('group_members').where('group_id', '=', groupId).execute()
  await addMembers(transaction, groupId, names)
}

/** Who is one already stays one. */
export async function addMembers(
  transaction: Transaction<Tables>,
  groupId: number,
  names: Names,
): Promise<void> {
  for (const member of await requireOwn(transaction, names))
    await insertMember(transaction, groupId, member)
}

/** Who is none is passed over. */
export async function removeMembers(
  transaction: Transaction<Tables>,
  groupId: number,
  names: Names,
): Promise<void> {
  for (const { kind, id } of await requirePrincipals(transaction, names))
    await transaction
      .deleteFrom('group_members')
      .where('group_id', '=', groupId)
      .where('member_kind', '=', kind)
      .where('member_id', '=', id)
      .execute()
}

export async function setParents(
  transaction: Transaction<Tables>,
  groupId: number,
  names: Names,
): Promise<void> {
  const parents = await requireGroups(transaction, names)
  if (parents.includes(GROUP_EVERYONE.id))
    throw new Failure('object.built_in', {
      kind: 'group',
      name: GROUP_EVERYONE.name,
      hint: 'everybody is in it',
    })
  await transaction
    .deleteFrom('group_members')
    .where('member_kind', '=', 'group')
    .where('member_id', '=', groupId)
    .execute()
  for (const parent of parents)
    await insertMember(transaction, parent, { kind: 'group', id: groupId })
}

export async function setAdministrators(
  transaction: Transaction<Tables>,
  groupId: number,
  names: Names,
): Promise<void> {
  await transaction.deleteFrom('group_administrators').where('group_id', '=', groupId).execute()
  for (const administrator of await requireOwn(transaction, names))
    await insertAdministrator(transaction, groupId, administrator)
}

export async function setAdministeredGroups(
  transaction: Transaction<Tables>,
  administrator: Principal,
  names: Names,
): Promise<void> {
  await transaction
    .deleteFrom('group_administrators')
    .where('admin_kind', '=', administrator.kind)
    .where('admin_id', '=', administrator.id)
    .execute()
  for (const administered of await requireGroups(transaction, names))
    await insertAdministrator(transaction, administered, administrator)
}

/** Without built-in groups: lists can name `everyone`, and administrators may do all. */
async function requireOwn(transaction: Transaction<Tables>, names: Names): Promise<Principal[]> {
  const principals = await requirePrincipals(transaction, names)
  for (const { id, name } of [GROUP_ADMINISTRATORS, GROUP_EVERYONE])
    if (principals.some((one) => one.kind === 'group' && one.id === id))
      throw new Failure('object.built_in', { kind: 'group', name, hint: 'nor be put into others' })
  return principals
}

async function insertMember(
  transaction: Transaction<Tables>,
  groupId: number,
  { kind, id }: Principal,
): Promise<void> {
  await transaction
    .insertInto('group_members')
    .values({ group_id: groupId, member_kind: kind, member_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function insertAdministrator(
  transaction: Transaction<Tables>,
  groupId: number,
  { kind, id }: Principal,
): Promise<void> {
  await transaction
    .insertInto('group_administrators')
    .values({ group_id: groupId, admin_kind: kind, admin_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
