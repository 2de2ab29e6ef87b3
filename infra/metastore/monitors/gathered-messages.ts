// Messages that wait to be told together: which targets have some, and the one that takes their
// place, in one transaction (docs/decisions/0126).
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import type { AlertMessageRow } from '../../database/rows/monitor-tables.ts'
import { takeIds } from '../counters.ts'

/** States of a message beside those of its delivery. */
export const GATHERED = 'gathered'
const TOLD_TOGETHER = 'told together'
const IDS_A_STATEMENT = 500

export type GatheredTarget = { readonly targetId: number; readonly firstMs: number }

export async function listGatheredTargets({
  read,
}: Pick<Database, 'read'>): Promise<readonly GatheredTarget[]> {
  const rows = await read
    .selectFrom('alert_messages')
    .select(['target_id', (eb) => eb.fn.min('made_ms').as('first_ms')])
    .where('state', '=', GATHERED)
    .groupBy('target_id')
    .execute()
  return rows.map((row) => ({ targetId: Number(row.target_id), firstMs: Number(row.first_ms) }))
}

/** Those that became the message of this id, the oldest first. */
export async function readGathered(
  { read }: Pick<Database, 'read'>,
  digestId: number,
): Promise<readonly { readonly alertId: number; readonly notice: string }[]> {
  const rows = await read
    .selectFrom('alert_messages')
    .select(['alert_id', 'notice'])
    .where('digest_id', '=', digestId)
    .orderBy('id')
    .execute()
  return rows.map(({ alert_id, notice }) => ({ alertId: Number(alert_id), notice }))
}

/** All that was gathered until then becomes one message; `makeNotice` gets them, the oldest first.
 *  Nothing happens where another has done it. Fails with database.lease_lost. */
export async function tellTogether(
  { database, held }: { readonly database: Database; readonly held: Fence },
  { targetId, upToMs, nowMs }: { targetId: number; upToMs: number; nowMs: number },
  makeNotice: (messages: readonly Pick<AlertMessageRow, 'alert_id' | 'notice'>[]) => string,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const gathered = await transaction
      .selectFrom('alert_messages')
      .select(['id', 'alert_id', 'notice', 'target_name'])
      .where('state', '=', GATHERED)
      .where('target_id', '=', targetId)
      .where('made_ms', '<=', upToMs)
      .orderBy('id')
      .execute()
    const [first] = gathered
    if (first === undefined) return
    const id = await takeIds(transaction, 'alertMessage', 1)
    const row: AlertMessageRow = {
      ...{ id, alert_id: 0, monitor_id: 0, event: 'digest', target_id: targetId },
      ...{ target_name: first.target_name, notice: makeNotice(gathered), made_ms: nowMs },
      ...{ state: 'pending', tries: 0, next_ms: nowMs, digest_id: null },
    }
    await transaction.insertInto('alert_messages').values(row).execute()
    // Those that the notice tells, and no other.
    const ids = gathered.map((message) => message.id)
    for (let from = 0; from < ids.length; from += IDS_A_STATEMENT)
      await transaction
        .updateTable('alert_messages')
        .set({ state: TOLD_TOGETHER, digest_id: id })
        .where('id', 'in', ids.slice(from, from + IDS_A_STATEMENT))
        .execute()
  })
}

/** Of a target that is no more. */
export async function dropGathered(
  { database, held }: { readonly database: Database; readonly held: Fence },
  targetId: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('alert_messages')
      .set({ state: 'failed' })
      .where('state', '=', GATHERED)
      .where('target_id', '=', targetId)
      .execute()
  })
}
