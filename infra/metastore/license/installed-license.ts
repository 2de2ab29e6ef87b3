// The text of the licence that is installed; one, or none.
import type { Database, DatabaseTransaction } from '../../database/port.ts'

const ONE = 1

export async function readInstalledLicense(
  db: Database['read'] | DatabaseTransaction,
): Promise<string | undefined> {
  const row = await db.selectFrom('installed_license').select('text').executeTakeFirst()
  return row?.text
}

export async function installLicense(
  transaction: DatabaseTransaction,
  text: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto('installed_license')
    .values({ number: ONE, text, installed_ms: nowMs })
    .onConflict((conflict) => conflict.column('number').doUpdateSet({ text, installed_ms: nowMs }))
    .execute()
}
