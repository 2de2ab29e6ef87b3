// How far a source is copied that is no file. What goes to the event log next is noted before it
// goes there, whole: a source need not give the same again. After a crash the noted block is sent
// as it was, and the writer drops it where it has it (docs/decisions/0123).
import { z } from 'zod'
import { Failure } from '../../../schemas/failures.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'

const pendingSchema = z.strictObject({
  /** The mark when it is stored. */
  to: z.string(),
  partition: z.number().int(),
  events: z.number().int(),
  /** The packed block, base64. */
  block: z.string(),
})

export type PendingBlock = Readonly<z.infer<typeof pendingSchema>>

export type CollectMark = {
  readonly logId: number
  readonly place: string
  readonly mark: string
  readonly pieces: number
  readonly pending: PendingBlock | undefined
  readonly events: number
  /** Of a query task: what the mark belongs to, by its number (docs/decisions/0133). */
  readonly generation: number
}

type Deps = { readonly database: Database; readonly held: Fence }

/** A source that was never copied begins with the mark ''. */
export async function readCollectMark(
  db: Pick<DatabaseTransaction, 'selectFrom'>,
  logId: number,
  place: string,
): Promise<CollectMark> {
  const row = await db
    .selectFrom('collect_marks')
    .selectAll()
    .where('log_id', '=', logId)
    .where('place', '=', place)
    .executeTakeFirst()
  if (row === undefined)
    return { logId, place, mark: '', pieces: 0, pending: undefined, events: 0, generation: 0 }
  try {
    return {
      ...{ logId, place, mark: row.mark, generation: row.generation },
      ...{ pieces: Number(row.pieces), events: Number(row.events) },
      pending: row.pending === null ? undefined : pendingSchema.parse(JSON.parse(row.pending)),
    }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}

/** False: it is not `isCurrent` any more, and nothing is saved. Fails with database.lease_lost. */
export async function saveCollectMark(
  { database, held }: Deps,
  { logId, place, mark, pieces, pending, events, generation }: CollectMark,
  nowMs: number,
  isCurrent: (transaction: DatabaseTransaction) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const changed = {
    ...{ mark, pieces, events, generation, changed_ms: nowMs },
    pending: pending === undefined ? null : JSON.stringify(pending),
  }
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    if (!(await isCurrent(transaction))) return false
    await transaction
      .insertInto('collect_marks')
      .values({ log_id: logId, place, ...changed })
      .onConflict((conflict) => conflict.columns(['log_id', 'place']).doUpdateSet(changed))
      .execute()
    return true
  })
}
