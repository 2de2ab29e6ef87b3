// addWindowsShareAccount: makes or changes a Windows share account of the address book.
import { addWindowsShareAccount as published } from '../../../../schemas/sdk/accounts/add-windows-share-account.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { windowsShareForm } from '../../accounts/windows-share-form.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addWindowsShareAccount = serveCommand(
  published,
  async (input, tools) => {
    const work = await saveAccount(input, windowsShareForm(input, tools), tools)
    return async (transaction) => (await work(transaction)).answer
  },
  TELLING,
)
