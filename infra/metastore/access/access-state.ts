// API tokens, and the users with a second factor, of one process: the whole of it in memory.
import type { Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { ApiTokenRecord } from './port.ts'

export type AccessState = {
  readonly tokensByHash: ReadonlyMap<string, ApiTokenRecord>
  readonly secondFactorUsers: ReadonlySet<number>
}

export const EMPTY_ACCESS: AccessState = { tokensByHash: new Map(), secondFactorUsers: new Set() }

export async function loadAccess(transaction: Transaction<Tables>): Promise<AccessState> {
  const tokens = await transaction
    .selectFrom('api_tokens')
    .select(['user_id', 'name', 'token_hash', 'policy_id', 'ends_ms'])
    .execute()
  const factors = await transaction
    .selectFrom('second_factors')
    .select('user_id')
    .where('is_confirmed', '=', 1)
    .execute()
  return {
    tokensByHash: new Map(
      tokens.map((row) => [
        row.token_hash,
        {
          userId: row.user_id,
          name: row.name,
          policyId: row.policy_id,
          endsMs: Number(row.ends_ms),
        },
      ]),
    ),
    secondFactorUsers: new Set(factors.map((row) => row.user_id)),
  }
}
