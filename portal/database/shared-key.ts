// A key in the database, made once: what one process of the portal signs, every other can read.
import type { Clock } from '../../infra/clock.ts'
import type { PortalDatabase, PortalReader } from './open.ts'

const KEY_BYTES = 32

/** Reads the key, or makes it: of several processes that start at once one wins. */
export async function openPortalKey(
  database: PortalDatabase,
  name: string,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<Buffer> {
  const known = await readKey(database.read, name)
  if (known !== undefined) return known
  const made = clock.randomBytes(KEY_BYTES)
  return await database.write(async (transaction) => {
    const other = await readKey(transaction, name)
    if (other !== undefined) return other
    const row = { name, key: made.toString('hex') }
    await transaction.insertInto('shared_keys').values(row).execute()
    return made
  })
}

async function readKey(db: PortalReader, name: string): Promise<Buffer | undefined> {
  const found = db.selectFrom('shared_keys').select('key').where('name', '=', name)
  const row = await found.executeTakeFirst()
  return row === undefined ? undefined : Buffer.from(row.key, 'hex')
}
