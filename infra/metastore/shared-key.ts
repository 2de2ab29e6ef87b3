// A key in the database, made once: what one process signs with it, every other process on this
// database can read.
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'

const KEY_BYTES = 32
/** Of the hashes of masking: the same value has the same hash as long as it is kept. */
export const MASK_KEY = 'masking'

/** Reads the key, or makes it: of several processes that start at once one wins, and all use its
 *  key. */
export async function openSharedKey(
  database: Database,
  name: string,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<Buffer> {
  const key = (await readKey(database.read, name)) ?? (await makeKey(database, name, clock))
  if (key.length !== KEY_BYTES) throw new Error(`the key ${name} in the database is damaged`)
  return key
}

async function makeKey(
  database: Database,
  name: string,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<Buffer> {
  const made = clock.randomBytes(KEY_BYTES)
  return await database.write(async (transaction) => {
    const known = await readKey(transaction, name)
    if (known !== undefined) return known
    const row = { name, key: made.toString('hex') }
    await transaction.insertInto('shared_keys').values(row).execute()
    return made
  })
}

async function readKey(db: Database['read'], name: string): Promise<Buffer | undefined> {
  const found = db.selectFrom('shared_keys').select('key').where('name', '=', name)
  const row = await found.executeTakeFirst()
  return row === undefined ? undefined : Buffer.from(row.key, 'hex')
}
