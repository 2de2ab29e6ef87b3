// The entry of a deletion: what leaves each signed unit, with its digest, so that the rest is known
// without being signed again (docs/decisions/0111).
import type { LogDigest } from '../../schemas/keep/evidence.ts'
import type { DatabaseTransaction } from '../database/port.ts'
import type { Deletion } from '../metastore/retention/deletions.ts'
import type { JobContext } from '../scheduler/job.ts'
import { appendEvidence } from './append-evidence.ts'
import { isTouchedSince, readUnitStates } from './read-evidence.ts'
import { readUnitDigest } from './row-digests.ts'

const UNIT_MS = 600_000

type Leaving = { policy: number; day: number; logs: LogDigest[] }

/** Gives what adds the entry, in the transaction after which the rows go. It does nothing and
 *  fails when a unit was signed meanwhile: then it is tried again. `where`: SQL, true for what
 *  goes. Undefined: it was stopped. */
export async function makeDeletionEntry(
  { database, store, clock, signal }: JobContext,
  options: {
    readonly deletion: Deletion
    readonly units: readonly (readonly [policyId: number, day: number])[]
    readonly where: string
    readonly digestKey: Buffer | undefined
  },
): Promise<((transaction: DatabaseTransaction) => Promise<void>) | undefined> {
  const { deletion, units, where, digestKey } = options
  const states = await readUnitStates(database.read)
  const leaving: Leaving[] = []
  for (const [policy, day] of units) {
    if (signal.aborted) return undefined
    const bounds = states.find({ policy, day })?.bounds
    if (bounds === undefined || digestKey === undefined) {
      leaving.push({ policy, day, logs: [] })
      continue
    }
    const options = { key: digestKey, bounds, condition: where, timeoutMs: UNIT_MS, signal }
    const { logs } = await readUnitDigest(store, { policy, day }, options)
    leaving.push({ policy, day, logs: [...logs.values()] })
  }
  const { number, log, askedBy, events } = deletion
  return async (transaction) => {
    if (await isTouchedSince(transaction, leaving, states.last))
      throw new Error('a day was signed while its deletion was')
    const content = { number, log, askedBy, events, units: leaving }
    await appendEvidence(transaction, 'deletion', { content, atMs: clock.nowMs() })
  }
}
