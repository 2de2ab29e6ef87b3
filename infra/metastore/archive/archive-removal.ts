// The beginning of an archive's end, and legal holds: of two that come at the same time one sees
// the other, since each is one transaction.
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { HeldEvents } from '../retention/legal-holds.ts'
import { type Archive, readArchives } from './archives.ts'
import { heldBy } from './held-by.ts'

type Begin = {
  readonly held: Fence
  readonly nowMs: number
  readonly readHolds: (db: Database['read']) => Promise<readonly HeldEvents[]>
}

/** False: it stays, since a legal hold keeps what it has, or it is thawed. */
export async function beginArchiveRemoval(
  database: Database,
  archive: Archive,
  { held, nowMs, readHolds }: Begin,
): Promise<boolean> {
  const { number } = archive
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const thaws = transaction.selectFrom('thaws').select('number').where('archive', '=', number)
    if ((await thaws.executeTakeFirst()) !== undefined) return false
    // What is in the store, too, is kept there.
    const isAlone = archive.droppedMs !== undefined
    if (isAlone && heldBy(archive, await readHolds(transaction)).length > 0) return false
    await transaction
      .updateTable('archives')
      .set({ state: 'removing', fault: '', tried_ms: nowMs })
      .where('number', '=', number)
      .execute()
    return true
  })
}

/** What a new hold finds: a removal that was asked for and has not begun is taken back. Gives
 *  whether one has begun. */
export async function keepArchives(
  transaction: DatabaseTransaction,
  hold: HeldEvents,
): Promise<boolean> {
  const going = (await readArchives(transaction)).filter(
    (one) =>
      one.state === 'removing' && one.droppedMs !== undefined && heldBy(one, [hold]).length > 0,
  )
  // One that failed in the middle is looked at again before it goes on.
  if (going.some(({ triedMs, fault }) => triedMs !== undefined && fault === '')) return true
  for (const { number } of going.filter(({ triedMs }) => triedMs === undefined))
    await transaction
      .updateTable('archives')
      .set({ state: 'done' })
      .where('number', '=', number)
      .execute()
  return false
}
