// The beginning of an archive's end, and legal holds: of two that come at the same time one sees
// the other, since each is one transaction.
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { type HeldEvents, readHeldEvents } from '../retention/legal-holds.ts'
import { type Archive, findArchive, readArchives, writeChange } from './archives.ts'
import { heldBy } from './held-by.ts'

type Begin = {
  readonly held: Fence
  readonly nowMs: number
  /** By its age; else it goes where that was asked for. */
  readonly isOver: boolean
}

/** False: it stays, since a legal hold keeps what it has, or it is thawed, or its removal was taken
 *  back. */
export async function beginArchiveRemoval(
  database: Database,
  archive: Archive,
  { held, nowMs, isOver }: Begin,
): Promise<boolean> {
  const { number } = archive
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const now = await findArchive(transaction, number)
    if (now === undefined || (now.state !== 'removing' && !isOver)) return false
    const thaws = transaction.selectFrom('thaws').select('number').where('archive', '=', number)
    if ((await thaws.executeTakeFirst()) !== undefined) return false
    // What is in the store, too, is kept there.
    const isAlone = archive.droppedMs !== undefined
    if (isAlone && heldBy(archive, await readHeldEvents(transaction)).length > 0) return false
    await writeChange(transaction, number, { state: 'removing', fault: '', triedMs: nowMs })
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
    await writeChange(transaction, number, { state: 'done' })
  return false
}
