// securityUsers: adds, edits or removes a user.
import { hashPassword } from '../../../../infra/metastore/users/password.ts'
import { addUser, editUser, removeUser } from '../../../../infra/metastore/users/user-changes.ts'
import { securityUsers as published } from '../../../../schemas/sdk/security/security-users.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const securityUsers = serveCommand(
  published,
  async (input, { clock }) => {
    const { action, userName, userPassword } = input
    if (action === 'remove')
      return async (transaction) => {
        await removeUser(transaction, clock, userName)
        return { userName, removed: true }
      }
    // No password fits an empty hash.
    const withoutPassword = input.signIn === undefined ? undefined : ''
    const passwordHash =
      userPassword === undefined ? withoutPassword : await hashPassword(userPassword, clock)
    const change = {
      displayName: input.displayName,
      isEnabled: input.enabled,
      groups: input.groups,
      policy: input.policy,
      administeredGroups: input.administeredGroups,
    }
    return async (transaction) => {
      if (action === 'edit') await editUser(transaction, userName, { ...change, passwordHash })
      // The schema asks for the password with add.
      else await addUser(transaction, userName, { ...change, passwordHash: passwordHash ?? '' })
      return { userName }
    }
  },
  { arguments: { name: 'userName' } },
)
