// Bytes that accounts sent on a day, of all listeners together: for the cap of a day.
import type { Database } from '../../database/port.ts'

/** `day`: counted from 1970, UTC. */
export type TakenBytes = {
  readonly accountId: number
  readonly day: number
  readonly bytes: number
}

const KEPT_DAYS = 40

/** Adds what this listener took, and gives what all took on `day`, by account. */
export async function exchangeDayBytes(
  database: Database,
  taken: readonly TakenBytes[],
  day: number,
): Promise<ReadonlyMap<number, number>> {
  if (taken.length > 0)
    await database.write(async (transaction) => {
      for (const { accountId, day: of, bytes } of taken)
        await transaction
          .insertInto('account_day_bytes')
          .values({ account_id: accountId, day: of, bytes })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'day']).doUpdateSet(({ ref, eb }) => ({
              bytes: eb(ref('account_day_bytes.bytes'), '+', bytes),
            })),
          )
          .execute()
      await transaction
        .deleteFrom('account_day_bytes')
        .where('day', '<', day - KEPT_DAYS)
        .execute()
    })
  const rows = await database.read
    .selectFrom('account_day_bytes')
    .select(['account_id', 'bytes'])
    .where('day', '=', day)
    .execute()
  return new Map(rows.map(({ account_id, bytes }) => [account_id, Number(bytes)]))
}
