// A real metastore in a place of its own, with the users and logs that a test asks for.
import { type Clock, systemClock } from '../../../infra/clock.ts'
import type { Database } from '../../../infra/database/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { runFirstStart } from '../../../infra/metastore/first-start.ts'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { hashPassword } from '../../../infra/metastore/users/password.ts'
import { addUser } from '../../../infra/metastore/users/user-changes.ts'
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
  clock: systemClock,
  write: () => {},
})

export async function openQueryDatabase(clock: Clock = systemClock): Promise<QueryDatabase> {
  const place = await makeDatabasePlace()
  const database = await place.open()
  const secrets = await runFirstStart({ database, clock })
  const metastore = await openMetastore({ database, logger: silentLogger, clock })
  return {
    database,
    metastore,
    adminPassword: secrets?.adminPassword ?? '',
    addUser: async (name, password) => {
      const passwordHash = await hashPassword(password, clock)
      return await database.write((transaction) => addUser(transaction, name, { passwordHash }))
    },
    close: async () => {
      await metastore.close()
      await place.remove()
    },
  }
}
