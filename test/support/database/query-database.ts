// A real metastore in a place of its own, with the users and logs that a test asks for.
import type { Clock } from '../../../infra/clock.ts'
import type { Database } from '../../../infra/database/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { seed } from '../../../infra/metastore/seed.ts'
import { addUser } from '../../../infra/metastore/users/user-changes.ts'
import { ADMIN_USER_NAME, GROUP_ADMINISTRATORS } from '../../../schemas/users.ts'
import { testClock } from '../run/test-clock.ts'
import { hashCheaply } from './cheap-hash.ts'
import { makeDatabasePlace } from './database-place.ts'

export type QueryDatabase = {
  readonly database: Database
  readonly metastore: OpenedMetastore
  readonly adminPassword: string
  addUser(name: string, password: string): Promise<number>
  close(): Promise<void>
}

export const silentLogger = makeLogger({
  level: 'error',
  process: 'test',
  clock: testClock,
  write: () => {},
})

const ADMIN_PASSWORD = 'the first password'

/** As after the first start (`runFirstStart`), with passwords that cost nothing. */
export async function openQueryDatabase(clock: Clock = testClock): Promise<QueryDatabase> {
  const place = await makeDatabasePlace()
  const database = await place.open()
  await seed(database, clock)
  await database.write(async (transaction) => {
    const groups = [GROUP_ADMINISTRATORS.name]
    const passwordHash = hashCheaply(ADMIN_PASSWORD)
    await addUser(transaction, ADMIN_USER_NAME, { passwordHash, groups })
    await addAccount(transaction, clock, 'Default', {})
  })
  const metastore = await openMetastore({ database, logger: silentLogger, clock })
  return {
    database,
    metastore,
    adminPassword: ADMIN_PASSWORD,
    addUser: (name, password) => {
      const passwordHash = hashCheaply(password)
      return database.write((transaction) => addUser(transaction, name, { passwordHash }))
    },
    close: async () => {
      await metastore.close()
      await place.remove()
    },
  }
}
