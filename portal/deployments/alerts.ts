// One installation that reports from two places (decision 9.6): a copy, whose usage would be
// counted twice or not at all. It is told; nothing is refused.
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { DeploymentRow } from '../database/tables.ts'

export const DAY_MS = 86_400_000

/** Where and as what a deployment reports. */
export type Place = {
  readonly address: string
  readonly fingerprint: string
  readonly atMs: number
}

/** Why a report with the token of a deployment tells of a copy; undefined: it does not. A change of
 *  address alone does not; back again within a day does. */
export function findCopy(row: DeploymentRow, { address, fingerprint, atMs }: Place) {
  if (row.fingerprint !== fingerprint)
    return 'its token is also used by an installation with another fingerprint'
  const isBack = address !== row.address && address === row.other_address
  return isBack && atMs - (row.other_seen_ms ?? 0) < DAY_MS
    ? `it reports from two addresses in turn, ${row.address} and ${address}`
    : undefined
}

/** The row after a report from `place`. */
export function moveTo(row: DeploymentRow, { address, atMs }: Place): DeploymentRow {
  const moved = { address, other_address: row.address, other_seen_ms: row.last_seen_ms }
  const last_seen_ms = Math.max(atMs, row.last_seen_ms)
  return { ...row, ...(address === row.address ? {} : moved), last_seen_ms, retired_ms: null }
}

/** Other deployments with the same fingerprint that were heard of within a day. */
export async function findTwins(
  db: PortalReader,
  row: DeploymentRow,
  nowMs: number,
): Promise<DeploymentRow[]> {
  return await db
    .selectFrom('deployments')
    .selectAll()
    .where('fingerprint', '=', row.fingerprint)
    .where('id', '<>', row.id)
    .where('retired_ms', 'is', null)
    .where('last_seen_ms', '>', nowMs - DAY_MS)
    .limit(20)
    .execute()
}

export async function raiseConflict(
  transaction: PortalTransaction,
  { id, organization_id }: Pick<DeploymentRow, 'id' | 'organization_id'>,
  detail: string,
  nowMs: number,
): Promise<void> {
  const row = { organization_id, deployment_id: id, code: 'fingerprint_conflict' }
  await transaction
    .insertInto('deployment_alerts')
    .values({ ...row, detail, since_ms: nowMs, last_ms: nowMs })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'deployment_id', 'code'])
        .doUpdateSet({ detail, last_ms: nowMs }),
    )
    .execute()
}
