// The job that keeps the evidence (docs/decisions/0111): begins the chain, signs finished days and
// the audit log, signs entries, and sends the end of the chain away.
import { type KeyObject, sign } from 'node:crypto'
import { requireFence } from '../database/lease.ts'
import type { EventLog } from '../event-log/port.ts'
import type { Job, JobContext } from '../scheduler/job.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import { appendEvidence } from './append-evidence.ts'
import { signedBytesOf } from './chain-hash.ts'
import { readChainHead } from './chain-heads.ts'
import { type EvidenceKey, openEvidenceKey } from './evidence-key.ts'
import { signDays } from './sign-days.ts'
import { UnitStates } from './unit-states.ts'

const EVERY_MS = 30_000
/** Between entries that cover the audit log. */
const AUDIT_EVERY_MS = 600_000
const SIGNED_A_TRANSACTION = 500

export type EvidenceJobDeps = {
  readonly eventLog: Pick<EventLog, 'partitions' | 'position'>
  readonly keys: SecretKeys
  /** After each run: units that are not as the chain tells, in this process. */
  readonly onDifferences?: (units: number) => void
  /** Sends the end of the chain away, when it is time. */
  readonly sendHead?: (context: JobContext, key: EvidenceKey) => Promise<void>
}

export function makeEvidenceJob(deps: EvidenceJobDeps): Job {
  const states = new UnitStates()
  return {
    name: 'evidence',
    everyMs: EVERY_MS,
    limitMs: 3_600_000,
    run: (context) => runEvidence(context, deps, states),
  }
}

export async function runEvidence(
  context: JobContext,
  deps: EvidenceJobDeps,
  states = new UnitStates(),
): Promise<void> {
  const { database, clock, logger } = context
  const key = await openEvidenceKey({ database, keys: deps.keys }, clock)
  await begin(context, key)
  let differences = 0
  const added = await signDays(context, {
    eventLog: deps.eventLog,
    digestKey: key.digestKey,
    states,
    onDifference: ({ policy, day }) => {
      differences += 1
      logger.error('a finished day of the store was changed, see the command verify', {
        policy,
        day,
      })
    },
  })
  deps.onDifferences?.(differences)
  await coverAudit(context, added > 0)
  await signEntries(context, key.privateKey)
  await deps.sendHead?.(context, key)
}

async function begin({ database, clock, held }: JobContext, { publicKey }: EvidenceKey) {
  if ((await readChainHead(database.read, 'evidence')).number > 0) return
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    if ((await readChainHead(transaction, 'evidence')).number > 0) return
    const { number: auditAfter } = await readChainHead(transaction, 'audit-begin')
    const content = { auditAfter, publicKey }
    await appendEvidence(transaction, 'begin', { content, atMs: clock.nowMs() })
  })
}

async function coverAudit({ database, clock, held }: JobContext, isWanted: boolean): Promise<void> {
  const last = await database.read
    .selectFrom('evidence')
    .select(['at_ms', 'content'])
    .where('kind', '=', 'audit')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isTime = last === undefined || clock.nowMs() - Number(last.at_ms) >= AUDIT_EVERY_MS
  if (!isTime && !isWanted) return
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const { number: through, hash } = await readChainHead(transaction, 'audit')
    const content = { through, hash }
    if (through === 0 || hash === '' || last?.content.includes(`"${hash}"`)) return
    await appendEvidence(transaction, 'audit', { content, atMs: clock.nowMs() })
  })
}

async function signEntries({ database, held }: JobContext, key: KeyObject): Promise<void> {
  for (;;) {
    const rows = await database.read
      .selectFrom('evidence')
      .select(['number', 'hash'])
      .where('signature', 'is', null)
      .orderBy('number')
      .limit(SIGNED_A_TRANSACTION)
      .execute()
    if (rows.length === 0) return
    await database.write(async (transaction) => {
      await requireFence(transaction, held)
      for (const { number, hash } of rows) {
        const signature = sign(null, signedBytesOf(Number(number), hash), key).toString('base64')
        await transaction
          .updateTable('evidence')
          .set({ signature })
          .where('number', '=', number)
          .execute()
      }
    })
    if (rows.length < SIGNED_A_TRANSACTION) return
  }
}
