// Sessions of browsers (docs/decisions/0045). A session is found by the hash of its cookie, in the
// database each time: one that was ended is ended everywhere at once.
import type { Kysely, Transaction } from 'kysely'
import { formatSecret, SECRET_BYTES } from '../../../schemas/secret-text.ts'
import type { Clock } from '../../clock.ts'
import type { SessionRow } from '../../database/rows/access-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { hashSecret } from './api-tokens.ts'

export type SessionRecord = {
  readonly idHash: string
  readonly userId: number
  readonly signedInBy: string
  readonly address: string
  readonly madeMs: number
  readonly usedMs: number
  readonly endsMs: number
}

export type NewSession = Pick<SessionRecord, 'userId' | 'signedInBy' | 'address' | 'endsMs'>

/** Of one user; a further one ends the one that was used longest ago. */
const MAX_SESSIONS = 50

/** Gives the value of the cookie. */
export async function addSession(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
  { userId, signedInBy, address, endsMs }: NewSession,
): Promise<string> {
  const nowMs = clock.nowMs()
  await transaction.deleteFrom('sessions').where('ends_ms', '<', nowMs).execute()
  const known = await listSessions(transaction, userId)
  for (const { idHash } of known.slice(MAX_SESSIONS - 1)) await endSession(transaction, idHash)
  const secret = formatSecret('ses_', clock.randomBytes(SECRET_BYTES))
  await transaction
    .insertInto('sessions')
    .values({
      ...{ id_hash: hashSecret(secret), user_id: userId, signed_in_by: signedInBy, address },
      ...{ made_ms: nowMs, used_ms: nowMs, ends_ms: endsMs },
    })
    .execute()
  return secret
}

export async function findSession(
  db: Kysely<Tables>,
  idHash: string,
): Promise<SessionRecord | undefined> {
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return row && fromRow(row)
}

export async function touchSession(
  transaction: Transaction<Tables>,
  idHash: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ used_ms: nowMs })
    .where('id_hash', '=', idHash)
    .execute()
}

/** Those that were used last come first. */
export async function listSessions(
  transaction: Transaction<Tables>,
  userId: number,
): Promise<SessionRecord[]> {
  const rows = await transaction
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('used_ms', 'desc')
    .execute()
  return rows.map(fromRow)
}

export async function endSession(transaction: Transaction<Tables>, idHash: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
}

/** All of a user but the one that goes on. */
export async function endSessionsOf(
  transaction: Transaction<Tables>,
  userId: number,
  keptHash = '',
): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id_hash', '!=', keptHash)
    .execute()
}

function fromRow(row: SessionRow): SessionRecord {
  return {
    idHash: row.id_hash,
    userId: row.user_id,
    signedInBy: row.signed_in_by,
    address: row.address,
    madeMs: Number(row.made_ms),
    usedMs: Number(row.used_ms),
    endsMs: Number(row.ends_ms),
  }
}
