// addRemoteProductAccount: makes or changes a remote product account of the address book.
import { addRemoteProductAccount as published } from '../../../../schemas/sdk/accounts/add-remote-product-account.ts'
import { remoteProductForm } from '../../accounts/remote-product-form.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addRemoteProductAccount = serveCommand(
  published,
  async (input, tools) => {
    const work = await saveAccount(input, remoteProductForm(input, tools), tools)
    return async (transaction) => (await work(transaction)).answer
  },
  TELLING,
)
