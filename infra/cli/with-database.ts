// Commands on the machine that work on the database of an existing product: no command makes
// one.
import { Failure } from '../../schemas/failures.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import { openDatabase } from '../database/open.ts'
import type { Database } from '../database/port.ts'
import { lookAtSqlite } from '../database/sqlite-look.ts'
import { resetPassword, resetToken } from '../metastore/first-start.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/** Resolves with what `run` says. Fails with start.refused when there is no embedded database. */
export async function withDatabase(
  place: Place,
  run: (database: Database) => Promise<string>,
): Promise<string> {
  const database = await openExistingDatabase(place)
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

/** Fails with start.refused when there is no embedded database. */
export async function openExistingDatabase({ databaseUrl, dataDir }: Place): Promise<Database> {
  if (databaseUrl === undefined && lookAtSqlite(dataDir) !== 'filled') {
    const reason = `there is no database of a product in ${dataDir}: set LOGEYE_DATA_DIR to the data directory of the product`
    throw new Failure('start.refused', { reason })
  }
  return await openDatabase({ url: databaseUrl?.reveal(), dataDir, clock: systemClock })
}

/** The new secret. Fails with object.not_found, start.refused. */
export async function resetSecret(
  kind: 'reset-password' | 'reset-token',
  name: string,
  place: Place,
): Promise<string> {
  return await withDatabase(place, (database) => {
    const common = { database, clock: systemClock }
    return kind === 'reset-password'
      ? resetPassword({ ...common, userName: name })
      : resetToken({ ...common, accountName: name })
  })
}
