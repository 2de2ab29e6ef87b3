// Which licence of an organization counts.
import type { PortalReader } from '../../database/open.ts'
import type { LicenseRow } from '../../database/tables.ts'

/** Of several the newest that is in force; else the newest. */
export async function findLicenseInForce(
  db: PortalReader,
  organizationId: string,
  nowMs: number,
): Promise<LicenseRow | undefined> {
  const all = db.selectFrom('licenses').selectAll()
  const rows = await all
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .execute()
  const isInForce = ({ state, from_ms, to_ms }: LicenseRow) =>
    state === 'active' && from_ms <= nowMs && nowMs < to_ms
  return rows.find(isInForce) ?? rows[0]
}
