// ownPassword: changes the caller's own password.
import { hashPassword } from '../../../../infra/metastore/users/password.ts'
import { editUser } from '../../../../infra/metastore/users/user-changes.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { ownPassword as published } from '../../../../schemas/sdk/access/own-password.ts'
import { requireOwnUser } from '../../server/require-user.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const ownPassword = serveCommand(published, async (input, tools) => {
  const { clock, caller, checkPassword } = tools
  const { name } = requireOwnUser(caller)
  const { address, by } = caller
  // Guesses of an open session wait for their turn as all do.
  const right = await checkPassword({ name, password: input.old }, { address })
  if (right === undefined)
    throw new Failure('sdk.argument', { argument: 'old', reason: 'is not the password' })
  const passwordHash = await hashPassword(input.new, clock)
  const keptSession = by.kind === 'session' ? by.session.idHash : undefined
  return async (transaction) => {
    await editUser(transaction, name, { passwordHash, keptSession })
    return { userName: name }
  }
})
