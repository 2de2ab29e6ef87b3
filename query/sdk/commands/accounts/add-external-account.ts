// addExternalAccount: makes or changes an S3 account of the address book.
import { addExternalAccount as published } from '../../../../schemas/sdk/accounts/add-external-account.ts'
import { s3Form } from '../../accounts/s3-form.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addExternalAccount = serveCommand(
  published,
  async (input, tools) => {
    const work = await saveAccount(input, s3Form(input, tools), tools)
    return async (transaction) => (await work(transaction)).answer
  },
  TELLING,
)
