// removeAccount: removes a listener account.
import { removeAccount as remove } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { removeAccount as published } from '../../../schemas/sdk/remove-account.ts'
import { serveCommand } from '../server/serve-command.ts'

export const removeAccount = serveCommand(
  published,
  ({ name }, { clock }) =>
    async (transaction) => {
      await remove(transaction, clock, name)
      return { name, removed: true }
    },
)
