// Rows of the table `settings`, by which tests see what a database holds.
import type { Database } from '../../../infra/database/port.ts'

export async function putSetting(database: Database, name: string, value = '1'): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.insertInto('settings').values({ name, value }).execute()
  })
}

export async function settingNames(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom('settings').select('name').execute()
  return rows.map((row) => row.name)
}
