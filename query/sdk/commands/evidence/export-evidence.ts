// exportEvidence.
import { mayDo } from '../../../../infra/access/may-do.ts'
import type { AuditRow } from '../../../../infra/database/rows/access-tables.ts'
import type { EvidenceRow } from '../../../../infra/database/rows/evidence-rows.ts'
import { printEvidenceFile } from '../../../../infra/evidence/evidence-file.ts'
import { readEvidenceKey } from '../../../../infra/evidence/evidence-key.ts'
import { readEvidence } from '../../../../infra/evidence/read-evidence.ts'
import { readAuditRows } from '../../../../infra/evidence/verify/verify-audit.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { exportEvidence as published } from '../../../../schemas/sdk/evidence/export-evidence.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const exportEvidence = serveCommand(
  published,
  async ({ audit: isWanted = false }, tools) => {
    const { database, clock, secretKeys: keys, caller, lifecycle } = tools
    if (isWanted && !mayDo(caller.user, 'system.audit')) throw new Failure('rights.missing')
    const key = await readEvidenceKey({ database, keys })
    if (key === undefined) throw new Failure('evidence.none')
    const evidence: EvidenceRow[] = []
    for await (const row of readEvidence(database.read)) evidence.push(row)
    const audit: AuditRow[] = []
    if (isWanted) for await (const row of readAuditRows(database.read, 0)) audit.push(row)
    const text = printEvidenceFile({
      publicKey: key.publicKey,
      serverKey: lifecycle.license.serverKey,
      at: new Date(clock.nowMs()).toISOString(),
      evidence,
      audit: isWanted ? audit : undefined,
    })
    return () => Promise.resolve(text)
  },
)
