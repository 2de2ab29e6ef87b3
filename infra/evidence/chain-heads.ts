// The ends of the chains: a row each, changed in the transaction that adds to the chain.
import type { Kysely, Transaction } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import type { Tables } from '../database/tables.ts'

export type ChainName = 'audit' | 'audit-begin' | 'evidence'
export type ChainHead = { readonly number: number; readonly hash: string }

/** Fails with database.damaged. */
export async function readChainHead(db: Kysely<Tables>, name: ChainName): Promise<ChainHead> {
  const row = await db
    .selectFrom('chain_heads')
    .select(['number', 'hash'])
    .where('name', '=', name)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('database.damaged')
  return { number: Number(row.number), hash: row.hash }
}

export async function moveChainHead(
  transaction: Transaction<Tables>,
  name: ChainName,
  { number, hash }: ChainHead,
): Promise<void> {
  await transaction
    .updateTable('chain_heads')
    .set({ number, hash })
    .where('name', '=', name)
    .execute()
}
