// removeAccount: removes an account.
import { removeAccount as removeListener } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { removeBookAccount } from '../../../infra/metastore/address-book/book-accounts.ts'
import { removeAccount as published } from '../../../schemas/sdk/remove-account.ts'
import { findAnyAccount } from '../server/find-any-account.ts'
import { serveCommand } from '../server/serve-command.ts'

export const removeAccount = serveCommand(published, async ({ name }, tools) => {
  const { logs } = await tools.objects.viewer()
  return async (transaction) => {
    const found = await findAnyAccount(transaction, name, tools)
    if (found === 'listener') await removeListener(transaction, tools.clock, name)
    else await removeBookAccount(transaction, found, logs)
    return { name, removed: true }
  }
})
