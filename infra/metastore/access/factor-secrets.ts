// Secrets of second factors, encrypted with the key file (docs/decisions/0142): a copy of the
// database alone tells none. Rows of before hold the plain text until the product starts.
import { isFailure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { SecondFactorRow } from '../../database/rows/access-tables.ts'
import { describeError, type Logger } from '../../logger.ts'
import {
  openSecret,
  type SecretKey,
  type SecretPlace,
  sealedSchema,
  sealSecret,
} from '../../secrets/secret-box.ts'
import type { SecretKeys } from '../../secrets/secret-keys.ts'

type Sealing = { readonly key: SecretKey; readonly clock: Pick<Clock, 'randomBytes'> }
type SecretRow = Pick<SecondFactorRow, 'user_id' | 'secret'>

/** Base 32 never begins so. */
const SEALED_START = '{'
const SEALED = `${SEALED_START}%`

export function sealFactor(userId: number, secret: string, { key, clock }: Sealing): string {
  return JSON.stringify(sealSecret(key, placeOf(userId), secret, clock))
}

/** Undefined: its key is not there, or it belongs to another user. */
export function openFactor({ user_id, secret }: SecretRow, keys: SecretKeys): string | undefined {
  if (!secret.startsWith(SEALED_START)) return secret
  const sealed = sealedSchema.parse(JSON.parse(secret))
  try {
    return openSecret(keys.find(sealed.key), placeOf(Number(user_id)), sealed)
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/** As the product starts. Without the key file the product goes on, and says so. */
export async function sealFactorsOfBefore(
  database: Database,
  {
    keys,
    clock,
    logger,
  }: {
    readonly keys: SecretKeys
    readonly clock: Pick<Clock, 'randomBytes'>
    readonly logger: Pick<Logger, 'info' | 'warn'>
  },
): Promise<void> {
  try {
    const count = await sealPlainFactors(database, keys, clock)
    if (count > 0) logger.info('second factors encrypted', { count })
    await requireFactorKeys(database.read, keys)
  } catch (error) {
    if (!isFailure(error)) throw error
    logger.warn('second factors cannot be read', describeError(error))
  }
}

/** Resolves with how many there were. Fails with secrets.*. */
async function sealPlainFactors(
  database: Database,
  keys: SecretKeys,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<number> {
  const isPlain = await database.read
    .selectFrom('second_factors')
    .select('user_id')
    .where('secret', 'not like', SEALED)
    .limit(1)
    .executeTakeFirst()
  if (isPlain === undefined) return 0
  const key = await keys.current(database.read)
  return await database.write(async (transaction) => {
    const rows = await transaction
      .selectFrom('second_factors')
      .select(['user_id', 'secret'])
      .where('secret', 'not like', SEALED)
      .execute()
    if (rows.length > 0) await keys.claim(transaction, key)
    for (const row of rows) await write(transaction, row, row.secret, { key, clock })
    return rows.length
  })
}

/** Fails with secrets.key_missing, secrets.key_file. */
export async function requireFactorKeys(
  db: Pick<Database['read'], 'selectFrom'>,
  keys: SecretKeys,
): Promise<void> {
  const rows = await db
    .selectFrom('second_factors')
    .select('secret')
    .where('secret', 'like', SEALED)
    .execute()
  for (const { secret } of rows) keys.find(sealedSchema.parse(JSON.parse(secret)).key)
}

/** With another key. Resolves with how many there are, and the names of users whose secret cannot
 *  be read: it stays as it is. */
export async function resealFactors(
  transaction: DatabaseTransaction,
  { keys, ...sealing }: Sealing & { readonly keys: SecretKeys },
): Promise<{ readonly count: number; readonly lost: readonly string[] }> {
  const rows = await transaction
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'second_factors.user_id')
    .select(['user_id', 'secret', 'users.name'])
    .execute()
  const lost: string[] = []
  for (const row of rows) {
    const secret = openFactor(row, keys)
    if (secret === undefined) lost.push(row.name)
    else await write(transaction, row, secret, sealing)
  }
  return { count: rows.length - lost.length, lost }
}

async function write(
  transaction: DatabaseTransaction,
  { user_id }: SecretRow,
  secret: string,
  sealing: Sealing,
): Promise<void> {
  await transaction
    .updateTable('second_factors')
    .set({ secret: sealFactor(Number(user_id), secret, sealing) })
    .where('user_id', '=', user_id)
    .execute()
}

function placeOf(userId: number): SecretPlace {
  return { kind: 'secondFactor', id: userId, field: 'secret' }
}
