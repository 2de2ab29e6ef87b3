// enableAccount: enables or disables an account.
import { changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { changeBookAccount } from '../../../infra/metastore/address-book/book-accounts.ts'
import { BOOK_ACCOUNT_KINDS } from '../../../schemas/address-book.ts'
import { enableAccount as published } from '../../../schemas/sdk/enable-account.ts'
import { findAnyAccount } from '../server/find-any-account.ts'
import { serveCommand } from '../server/serve-command.ts'

export const enableAccount = serveCommand(
  published,
  ({ name, enabled }, tools) =>
    async (transaction) => {
      const { clock, secretKeys: keys } = tools
      const found = await findAnyAccount(transaction, name, tools)
      if (found !== 'listener') {
        const sealing = { clock, keys, key: undefined }
        const change = { isEnabled: enabled }
        const account = await changeBookAccount(transaction, sealing, found, change)
        const kind = BOOK_ACCOUNT_KINDS[account.kind]
        return { name: account.name, kind, version: account.version, enabled: account.isEnabled }
      }
      const account = await changeAccount(transaction, clock, name, { isEnabled: enabled })
      const kind = 'listener account'
      return { name: account.name, kind, version: account.version, enabled: account.isEnabled }
    },
)
