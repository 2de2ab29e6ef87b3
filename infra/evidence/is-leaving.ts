// Whether rows of a unit are leaving the store now: then it is as no entry of the evidence says.
import type { EvidenceUnit } from '../../schemas/keep/evidence.ts'
import type { Database } from '../database/port.ts'
import { readOpenDeletions } from '../metastore/retention/deletions.ts'
import { readOpenRemovals } from '../metastore/retention/unit-removals.ts'

export async function isLeaving(db: Database['read'], unit: EvidenceUnit): Promise<boolean> {
  const removals = await readOpenRemovals(db)
  if (removals.some(({ policyId, day }) => policyId === unit.policy && day === unit.day))
    return true
  const deletions = await readOpenDeletions(db)
  return deletions.some(
    ({ state, units }) =>
      // In 'hidden' they are told right before the digests of what goes are made.
      (state === 'entered' || state === 'hidden') &&
      units.some(([policy, day]) => policy === unit.policy && day === unit.day),
  )
}
