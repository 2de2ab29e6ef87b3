// addDatabaseAccount: makes or changes a database account of the address book.
import { foldName } from '../../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { findBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import { listTasks } from '../../../../infra/metastore/tasks/tasks.ts'
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../../schemas/address-book.ts'
import { addDatabaseAccount as published } from '../../../../schemas/sdk/accounts/add-database-account.ts'
import { databaseForm } from '../../accounts/database-form.ts'
import { saveAccount, TELLING } from '../../accounts/save-account.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addDatabaseAccount = serveCommand(
  published,
  async (input, tools) => {
    const before = await findBookAccount(tools.database.read, input.name)
    const work = await saveAccount(input, databaseForm(input, tools), tools)
    return async (transaction) => {
      const { answer, settings } = await work(transaction)
      if (before?.kind !== 'database' || isSameDatabase(before.settings, settings)) return answer
      return { ...answer, notes: [...answer.notes, ...(await noteMarks(transaction, answer.name))] }
    }
  },
  TELLING,
)

function isSameDatabase(before: BookAccountSettings, after: BookAccountSettings<'database'>) {
  const { host, port, database } = ACCOUNT_SETTINGS.database.parse(before)
  return host === after.host && port === after.port && database === after.database
}

/** Of tasks without their names: who changes accounts may not see them (docs/decisions/0133). */
async function noteMarks(transaction: DatabaseTransaction, account: string): Promise<string[]> {
  const tasks = (await listTasks(transaction, 'query')).filter(
    ({ settings }) => foldName(settings.account) === foldName(account),
  )
  if (tasks.length === 0) return []
  const which =
    tasks.length === 1
      ? '1 query task goes on behind its mark'
      : `${tasks.length} query tasks go on behind their marks`
  return [
    `${which}: where this is another database than before, give addQueryTask -update true -mark anew, or its rows below them are not read`,
  ]
}
