// Lists of an app by name: as callers give and read them.
import type { Kysely } from 'kysely'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { Tables } from '../../database/tables.ts'
import { requireUser } from '../users/find-user.ts'
import { requireGroups } from '../users/require-groups.ts'
import type { AppList } from './app-access.ts'

export type ListNames = { readonly groups: readonly string[]; readonly users: readonly string[] }

/** Fails with object.not_found (group, user). */
export async function requireList<Given extends ListNames | null | undefined>(
  transaction: DatabaseTransaction,
  names: Given,
): Promise<AppList | null | undefined> {
  if (names === null || names === undefined) return names
  const users: number[] = []
  for (const name of names.users) users.push((await requireUser(transaction, name)).id)
  return {
    groups: await requireGroups(transaction, names.groups),
    users: [...new Set(users)],
  }
}

/** Without users and groups that are no more. */
export async function readListNames(
  db: Kysely<Tables>,
): Promise<(list: AppList | null) => ListNames | null> {
  const groups = await db.selectFrom('user_groups').select(['id', 'name']).execute()
  const users = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('removed_ms', 'is', null)
    .execute()
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]))
  const userNames = new Map(users.map(({ id, name }) => [id, name]))
  return (list) =>
    list && {
      groups: list.groups.flatMap((id) => groupNames.get(id) ?? []),
      users: list.users.flatMap((id) => userNames.get(id) ?? []),
    }
}
