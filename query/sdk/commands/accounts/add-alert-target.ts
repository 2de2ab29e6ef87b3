// addAlertTarget: makes or changes an account to which alerts are told.
import { addAlertTarget as published } from '../../../../schemas/sdk/accounts/add-alert-target.ts'
import { alertTargetForm } from '../../accounts/alert-target-form.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addAlertTarget = serveCommand(
  published,
  async (input, tools) => {
    const work = await saveAccount(input, alertTargetForm(input, tools), tools)
    return async (transaction) => (await work(transaction)).answer
  },
  TELLING,
)
