// How far the events of a policy are sent on, by partition. A batch is noted before it is sent, so
// that after a crash the same one is sent again (docs/decisions/0114).
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'

type Place = { readonly offset: number; readonly index: number }

export type ForwardPosition = {
  readonly policyId: number
  readonly partition: number
  /** The first event that is not sent on. */
  readonly from: Place
  /** End of the batch that may be on its way. */
  readonly to: Place | undefined
  /** When the last one before `from` was received: none behind it was received a day before. */
  readonly receivedMs: number
}

type Deps = { readonly database: Database; readonly held: Fence }

export async function readForwardPositions(
  db: Database['read'],
  policyId: number,
): Promise<ForwardPosition[]> {
  const rows = await db
    .selectFrom('forward_positions')
    .selectAll()
    .where('policy_id', '=', policyId)
    .execute()
  return rows.map((row) => ({
    ...{ policyId: row.policy_id, partition: row.partition },
    from: { offset: Number(row.offset), index: Number(row.event) },
    to:
      row.to_offset === null
        ? undefined
        : { offset: Number(row.to_offset), index: Number(row.to_event) },
    receivedMs: Number(row.received_ms),
  }))
}

/** Fails with database.lease_lost. */
export async function saveForwardPosition(
  { database, held }: Deps,
  { policyId, partition, from, to, receivedMs }: ForwardPosition,
): Promise<void> {
  const changed = {
    ...{ offset: from.offset, event: from.index, received_ms: receivedMs },
    ...{ to_offset: to?.offset ?? null, to_event: to?.index ?? null },
  }
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .insertInto('forward_positions')
      .values({ policy_id: policyId, partition, ...changed })
      .onConflict((conflict) => conflict.columns(['policy_id', 'partition']).doUpdateSet(changed))
      .execute()
  })
}

/** Of a policy that sends nothing on any more: it begins anew when it does again. */
export async function forgetForwardPositions(
  { database, held }: Deps,
  policyId: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const gone = transaction.deleteFrom('forward_positions')
    await gone.where('policy_id', '=', policyId).execute()
  })
}

/** Of all policies but these. */
export async function forgetOtherForwardPositions(
  { database, held }: Deps,
  policyIds: readonly number[],
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const gone = transaction.deleteFrom('forward_positions')
    await (policyIds.length === 0 ? gone : gone.where('policy_id', 'not in', policyIds)).execute()
  })
}
