// Rows of `storage_warnings`: what of a collection policy's storage somebody must know, from the
// crossing of a limit until it is crossed back (docs/decisions/0110).
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'

export const WARNING_KINDS = ['nearly-full', 'full', 'archive', 'disk'] as const
export type WarningKind = (typeof WARNING_KINDS)[number]

export type StorageWarning = {
  readonly policyId: number
  readonly kind: WarningKind
  readonly triedMs: number | undefined
  readonly toldMs: number | undefined
}

export async function readWarnings(db: Database['read']): Promise<readonly StorageWarning[]> {
  const rows = await db.selectFrom('storage_warnings').selectAll().execute()
  return rows.flatMap((row) => {
    const kind = WARNING_KINDS.find((it) => it === row.kind)
    if (kind === undefined) return []
    const moment = (ms: number | null) => (ms === null ? undefined : Number(ms))
    const times = { triedMs: moment(row.tried_ms), toldMs: moment(row.told_ms) }
    return [{ policyId: Number(row.policy_id), kind, ...times }]
  })
}

type Named = Pick<StorageWarning, 'policyId' | 'kind'>

/** In one transaction. */
export async function changeWarnings(
  database: Database,
  change: { readonly begun: readonly Named[]; readonly over: readonly Named[] },
  { held, nowMs }: { readonly held: Fence; readonly nowMs: number },
): Promise<void> {
  const { begun, over } = change
  if (begun.length + over.length === 0) return
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    for (const { policyId, kind } of over)
      await transaction
        .deleteFrom('storage_warnings')
        .where('policy_id', '=', policyId)
        .where('kind', '=', kind)
        .execute()
    for (const { policyId, kind } of begun)
      await transaction
        .insertInto('storage_warnings')
        .values({ policy_id: policyId, kind, since_ms: nowMs, tried_ms: null, told_ms: null })
        .execute()
  })
}

export async function noteWarning(
  database: Database,
  { policyId, kind }: Named,
  times: { readonly tried_ms: number } | { readonly told_ms: number },
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('storage_warnings')
      .set(times)
      .where('policy_id', '=', policyId)
      .where('kind', '=', kind)
      .execute()
  })
}
