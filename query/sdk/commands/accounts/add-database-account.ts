// addDatabaseAccount: makes or changes a database account of the address book.
import { addDatabaseAccount as published } from '../../../../schemas/sdk/accounts/add-database-account.ts'
import { databaseForm } from '../../accounts/database-form.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addDatabaseAccount = serveCommand(
  published,
  async (input, tools) => {
    const work = await saveAccount(input, databaseForm(input, tools), tools)
    return async (transaction) => (await work(transaction)).answer
  },
  TELLING,
)
