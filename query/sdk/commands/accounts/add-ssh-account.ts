// addSSHAccount: makes or changes an SSH account of the address book.
import { addSSHAccount as published } from '../../../../schemas/sdk/accounts/add-ssh-account.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { sshForm } from '../../accounts/ssh-form.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addSSHAccount = serveCommand(
  published,
  async (input, tools) => {
    const work = await saveAccount(input, sshForm(input, tools), tools)
    return async (transaction) => {
      const { answer, settings } = await work(transaction)
      return { ...answer, hostKey: settings.hostKey }
    }
  },
  TELLING,
)
