// Who changed what, with which result; kept in the transaction of the change.
import type { PortalTransaction } from '../database/open.ts'
import type { AuditRow } from '../database/tables.ts'

const MAX_TARGET = 300

export async function insertAudit(transaction: PortalTransaction, row: AuditRow): Promise<void> {
  const target = row.target.slice(0, MAX_TARGET)
  await transaction
    .insertInto('portal_audit')
    .values({ ...row, target })
    .execute()
}
