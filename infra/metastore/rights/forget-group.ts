// Takes a group that is removed out of the lists of folders and logs. A list that named it alone
// stays, empty: administrators only, and not what the parent lets.
import type { Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { readIdList } from '../json-list.ts'

export async function forgetGroupInLists(
  transaction: Transaction<Tables>,
  groupId: number,
): Promise<void> {
  for (const row of await transaction.selectFrom('node_permissions').selectAll().execute()) {
    const left = without(row.view_groups, groupId)
    if (left !== undefined)
      await transaction
        .updateTable('node_permissions')
        .set({ view_groups: left })
        .where('node_kind', '=', row.node_kind)
        .where('node_id', '=', row.node_id)
        .execute()
  }
  for (const row of await transaction.selectFrom('node_editors').selectAll().execute()) {
    const left = without(row.edit_groups, groupId)
    if (left !== undefined)
      await transaction
        .updateTable('node_editors')
        .set({ edit_groups: left })
        .where('node_kind', '=', row.node_kind)
        .where('node_id', '=', row.node_id)
        .execute()
  }
}

/** Undefined when it is not in the list. */
function without(list: string, groupId: number): string | undefined {
  const ids = readIdList(list)
  return ids.includes(groupId) ? JSON.stringify(ids.filter((id) => id !== groupId)) : undefined
}
