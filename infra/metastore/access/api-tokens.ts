// Changes of API tokens, each inside the caller's write transaction (docs/decisions/0045).
import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { formatSecret, SECRET_BYTES } from '../../../schemas/secret-text.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { requirePolicy } from '../users/policy-changes.ts'

const MAX_TOKENS_OF_USER = 100
const SHOWN_CHARACTERS = 4

export type ApiTokenTold = {
  readonly name: string
  readonly lastFour: string
  /** Name of its policy; null: that of the user. */
  readonly policy: string | null
  readonly madeMs: number
  readonly endsMs: number
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Gives the token, which nobody can show again. Fails with object.exists, object.not_found
 *  (policy), object.invalid (too many). */
export async function addApiToken(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
  given: { userId: number; name: string; endsMs: number; policy: string | undefined },
): Promise<string> {
  const { userId, name, endsMs, policy } = given
  const known = await transaction
    .selectFrom('api_tokens')
    .select('name_folded')
    .where('user_id', '=', userId)
    .execute()
  if (known.some((row) => row.name_folded === foldName(name)))
    throw new Failure('object.exists', { kind: 'token', name })
  if (known.length >= MAX_TOKENS_OF_USER)
    throw new Failure('object.invalid', {
      ...{ kind: 'token', property: 'name' },
      reason: `a user has at most ${MAX_TOKENS_OF_USER} tokens, remove one first`,
    })
  const token = formatSecret('tok_', clock.randomBytes(SECRET_BYTES))
  await transaction
    .insertInto('api_tokens')
    .values({
      id: await takeIds(transaction, 'apiToken', 1),
      user_id: userId,
      name,
      name_folded: foldName(name),
      token_hash: hashSecret(token),
      last_four: token.slice(-SHOWN_CHARACTERS),
      policy_id: policy === undefined ? null : (await requirePolicy(transaction, policy)).id,
      made_ms: clock.nowMs(),
      ends_ms: endsMs,
    })
    .execute()
  await raiseVersion(transaction, 'access')
  return token
}

/** Fails with object.not_found. */
export async function removeApiToken(
  transaction: Transaction<Tables>,
  userId: number,
  name: string,
): Promise<void> {
  const [result] = await transaction
    .deleteFrom('api_tokens')
    .where('user_id', '=', userId)
    .where('name_folded', '=', foldName(name))
    .execute()
  if (Number(result?.numDeletedRows ?? 0) === 0)
    throw new Failure('object.not_found', { kind: 'token', name })
  await raiseVersion(transaction, 'access')
}

export async function listApiTokens(
  transaction: Transaction<Tables>,
  userId: number,
): Promise<ApiTokenTold[]> {
  const rows = await transaction
    .selectFrom('api_tokens as t')
    .leftJoin('policies as p', 'p.id', 't.policy_id')
    .select(['t.name', 't.last_four', 't.policy_id', 'p.name as policy', 't.made_ms', 't.ends_ms'])
    .where('t.user_id', '=', userId)
    .orderBy('t.id')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    lastFour: row.last_four,
    policy: row.policy_id === null ? null : (row.policy ?? ''),
    madeMs: Number(row.made_ms),
    endsMs: Number(row.ends_ms),
  }))
}
