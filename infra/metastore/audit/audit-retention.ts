// The audit log is kept for as many days as the setting says. Old entries go in small transactions
// with pauses between them: other processes write into the same file. What is not copied yet
// (audit-copies.ts) stays.
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import { appendEvidence } from '../../evidence/append-evidence.ts'
import type { Job } from '../../scheduler/job.ts'
import type { Settings } from '../settings/port.ts'
import { firstUncopied } from './audit-copies.ts'

const DAY_MS = 86_400_000
const ROWS_A_TRANSACTION = 500
/** A round ends here; what is left goes in the next. */
const MAX_TRANSACTIONS = 2000
const PAUSE_MS = 20

type Deps = {
  readonly database: Database
  readonly metastore: Settings
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>
  readonly signal: AbortSignal
  /** Only while this is held. */
  readonly fence?: Fence
}

export const auditRetention: Job = {
  name: 'audit-retention',
  everyMs: 3_600_000,
  limitMs: 900_000,
  run: async (context) => {
    const removed = await removeOldAudit({ ...context, fence: context.held })
    if (removed > 0) context.logger.info('old audit entries removed', { removed })
  },
}

/** How many went. */
export async function removeOldAudit(deps: Deps): Promise<number> {
  const { database, clock, signal, fence } = deps
  if (signal.aborted) return 0
  const through = await chooseEnd(deps)
  let removed = 0
  for (let round = 0; through > 0 && round < MAX_TRANSACTIONS && !signal.aborted; round += 1) {
    const count = await database.write(async (transaction) => {
      if (fence !== undefined) await requireFence(transaction, fence)
      const some = transaction
        .selectFrom('audit')
        .select('id')
        .where('id', '<=', through)
        .orderBy('id')
        .limit(ROWS_A_TRANSACTION)
      const [result] = await transaction.deleteFrom('audit').where('id', 'in', some).execute()
      return Number(result?.numDeletedRows ?? 0)
    })
    removed += count
    if (count < ROWS_A_TRANSACTION) break
    await clock.sleep(PAUSE_MS, signal)
  }
  return removed
}

/** The last entry that goes; 0: none. Entries go from the beginning alone, and the evidence says up
 *  to where before they do: so what is left is a chain (docs/decisions/0111). */
async function chooseEnd({ database, metastore, clock, fence }: Deps): Promise<number> {
  const nowMs = clock.nowMs()
  const beforeMs = nowMs - metastore.setting('system.auditDays') * DAY_MS
  const kept = await database.read
    .selectFrom('audit')
    .select('id')
    // By id: what is old is at the beginning, so that little is read.
    .where(sql`at_ms + 0`, '>=', beforeMs)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const firstKept = Math.min(
    kept === undefined ? Number.MAX_SAFE_INTEGER : Number(kept.id),
    await firstUncopied(database.read),
  )
  const last = await database.read
    .selectFrom('audit')
    .select(['id', 'hash'])
    .where('id', '<', firstKept)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return 0
  const { hash } = last
  const through = Number(last.id)
  await database.write(async (transaction) => {
    if (fence !== undefined) await requireFence(transaction, fence)
    if (hash === null) return
    const content = { through, hash }
    await appendEvidence(transaction, 'audit-removed', { content, atMs: nowMs })
  })
  return through
}
