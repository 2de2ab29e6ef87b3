// Cancels of searches, seen by every query process: who cancels writes a row, who runs such a
// search finds it and counts it there (decision 4.7). A process looks only while it has searches
// that can be named.
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import { takeIds } from '../counters.ts'

export type SearchCancel = {
  readonly id: number
  readonly searchKey: string
  /** Null: whosever it is. */
  readonly userId: number | null
}

/** Long enough for every process to have seen it. */
const KEPT_MS = 60_000

export async function addCancel(
  database: Database,
  clock: Pick<Clock, 'nowMs'>,
  cancel: Omit<SearchCancel, 'id'> & { readonly found: number },
): Promise<number> {
  const nowMs = clock.nowMs()
  return await database.write(async (transaction) => {
    await transaction
      .deleteFrom('search_cancels')
      .where('made_ms', '<', nowMs - KEPT_MS)
      .execute()
    const id = await takeIds(transaction, 'cancel', 1)
    await transaction
      .insertInto('search_cancels')
      .values({
        id,
        made_ms: nowMs,
        search_key: cancel.searchKey,
        user_id: cancel.userId,
        found: cancel.found,
      })
      .execute()
    return id
  })
}

export async function lastCancelId(database: Database): Promise<number> {
  const row = await database.read
    .selectFrom('search_cancels')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}

export async function cancelsAfter(database: Database, id: number): Promise<SearchCancel[]> {
  const rows = await database.read
    .selectFrom('search_cancels')
    .select(['id', 'search_key', 'user_id'])
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: Number(row.id),
    searchKey: row.search_key,
    userId: row.user_id,
  }))
}

export async function countFound(database: Database, id: number, found: number): Promise<void> {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('search_cancels')
      .set({ found: sql<number>`found + ${found}` })
      .where('id', '=', id)
      .execute()
  })
}

export async function readFound(database: Database, id: number): Promise<number> {
  const row = await database.read
    .selectFrom('search_cancels')
    .select('found')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.found ?? 0
}
