// enableAccount: enables or disables a listener account.
import { changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { enableAccount as published } from '../../../schemas/sdk/enable-account.ts'
import { describeAccount } from '../server/describe-account.ts'
import { serveCommand } from '../server/serve-command.ts'

export const enableAccount = serveCommand(
  published,
  ({ name, enabled }, { clock }) =>
    async (transaction) =>
      describeAccount(await changeAccount(transaction, clock, name, { isEnabled: enabled })),
)
