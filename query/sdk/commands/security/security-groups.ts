// securityGroups: adds, edits or removes a group. Its administrators change its members.
import { mayDo } from '../../../../infra/access/may-do.ts'
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { administersGroup } from '../../../../infra/metastore/users/administers-group.ts'
import {
  addGroup,
  editGroup,
  removeGroup,
} from '../../../../infra/metastore/users/group-changes.ts'
import { Failure } from '../../../../schemas/failures.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { securityGroups as published } from '../../../../schemas/sdk/security/security-groups.ts'
import type { UserRecord } from '../../../../schemas/users.ts'
import { serveCommand } from '../../server/serve-command.ts'

/** What the administrators of a group may give. */
const MEMBER_ARGUMENTS = new Set(['members', 'addMembers', 'removeMembers'])

export const securityGroups = serveCommand(
  published,
  (input, { caller }) =>
    async (transaction) => {
      const { action, groupName, ...change } = input
      await requireRight(transaction, caller.user, input)
      if (action === 'remove') {
        await removeGroup(transaction, groupName)
        return { groupName, removed: true as const }
      }
      const write = action === 'add' ? addGroup : editGroup
      await write(transaction, groupName, change)
      return { groupName }
    },
  { arguments: { name: 'groupName' } },
)

/** One answer for a group that is not his and for one that is not there. */
async function requireRight(
  transaction: DatabaseTransaction,
  caller: UserRecord,
  { action, groupName, ...change }: SdkInput<'securityGroups'>,
): Promise<void> {
  if (mayDo(caller, published.operation)) return
  const isMembersOnly = Object.keys(change).every((name) => MEMBER_ARGUMENTS.has(name))
  const isHis = await administersGroup(transaction, caller.id, groupName)
  if (action !== 'edit' || !isMembersOnly || !isHis) throw new Failure('rights.missing')
}
