// Retention: the days of receipt that their collection policy no longer keeps go out of the store,
// one after the other (docs/decisions/0084); and events that a command deleted (0085). What a kill
// cut off is taken up first.
import type { EventLog } from '../../infra/event-log/port.ts'
import { readBounds } from '../../infra/evidence/sign-days.ts'
import { readArchives } from '../../infra/metastore/archive/archives.ts'
import { readBackups } from '../../infra/metastore/backups/backup-requests.ts'
import {
  beginLateRetentions,
  type KeptPolicy,
  readAllPolicies,
} from '../../infra/metastore/policies/collection-policies.ts'
import { isDeletingOf, readOpenDeletions } from '../../infra/metastore/retention/deletions.ts'
import { heldRowsSql } from '../../infra/metastore/retention/held-rows.ts'
import { readHeldEvents } from '../../infra/metastore/retention/legal-holds.ts'
import {
  abandonRemoval,
  beginRemoval,
  endRemoval,
  readOpenRemovals,
  type UnitRemoval,
} from '../../infra/metastore/retention/unit-removals.ts'
import type { Job, JobContext } from '../../infra/scheduler/job.ts'
import { readDisks, type StoreDisk } from '../../infra/store/read-disks.ts'
import { readUnits, type StoredUnit } from '../../infra/store/read-units.ts'
import { isArchiving, RETENTION_GRACE_MS } from '../../schemas/collection-policy.ts'
import { printDay } from '../../schemas/keep/store-damage.ts'
import {
  type ArchiveDeps,
  beginAsked,
  ensureArchived,
  isArchived,
  removeOver,
  runChecks,
  runThaws,
  writeAsked,
} from '../archive/archive-steps.ts'
import type { UnitPlace } from '../ledger/unit-sums.ts'
import { deleteEvents } from './delete-events.ts'
import { readHeldUnits } from './held-events.ts'
import { placeDays } from './place-days.ts'
import { planRetention, type RetentionPlan, todayOf } from './plan-retention.ts'
import { type RemovedSum, removeUnit } from './remove-unit.ts'
import { tellWarnings, type WarningDeps } from './tell-warnings.ts'

const UNIQUE_BYTES = 6
const EVERY_MS = 10_000

export type RetentionDeps = {
  readonly eventLog: Pick<EventLog, 'partitions' | 'position' | 'status'>
  /** After each run: how many policies are full with all that may go gone. */
  readonly onFull?: (policies: number) => void
  readonly onRemoved?: (sum: RemovedSum) => void
  readonly archive: ArchiveDeps
  readonly warnings?: WarningDeps & {
    /** Share of the disk of the data directory that is free. */
    readonly readFreeShare: () => Promise<number>
  }
  /** Of the hashes of rows in the evidence; undefined: nothing is signed yet. */
  readonly readDigestKey: () => Promise<Buffer | undefined>
}

export function makeRetention(deps: RetentionDeps): Job {
  return {
    name: 'retention',
    everyMs: EVERY_MS,
    // A day of tens of millions of events is archived in one run.
    limitMs: 14_400_000,
    run: (context) => runRetention(context, deps),
  }
}

export async function runRetention(context: JobContext, deps: RetentionDeps): Promise<void> {
  const { database, store, clock, signal } = context
  // A backup is of one moment: a removal is before it or after it.
  if (await isBackupRunning(context)) return
  for (const removal of await readOpenRemovals(database.read)) await finish(context, deps, removal)
  await beginAsked(context)
  // One after the other: each counts what the one before has left.
  for (const deletion of await readOpenDeletions(database.read)) {
    const isOver = await deleteEvents(context, deps, deletion)
    if (!isOver && deletion.state !== 'removed') break
  }
  if (signal.aborted) return
  const holds = await readHeldEvents(database.read)
  const [units, policies, isHeld] = [
    await readUnits(store, signal),
    await readRetaining(context),
    await readHeldUnits(store, holds, signal),
  ]
  await runThaws(context, deps.archive)
  const nowMs = clock.nowMs()
  await removeOver(context, deps.archive, { policies, today: todayOf({ nowMs, units }) })
  const retaining = policies.flatMap(({ id, policy, retainsSinceMs }) =>
    retainsSinceMs === undefined || nowMs < retainsSinceMs + RETENTION_GRACE_MS
      ? []
      : [{ id, ...policy }],
  )
  const plan = planRetention({ nowMs, units, policies: retaining, isHeld })
  for (const planned of plan.removals) {
    if (signal.aborted || (await isBackupRunning(context))) return
    const policy = policies.find(({ id }) => id === planned.policyId)
    if (policy !== undefined && isArchiving(policy.policy)) {
      const unit = { policyId: planned.policyId, day: planned.day }
      if (!(await ensureArchived(context, deps.archive, { unit, policy }))) continue
    }
    const removal = await beginRemoval(
      database,
      { ...planned, nowMs: clock.nowMs() },
      { held: context.held, unique: clock.randomBytes(UNIQUE_BYTES).toString('hex') },
    )
    await finish(context, deps, removal)
  }
  await writeAsked(context, deps.archive, policies)
  await runChecks(context, deps.archive)
  // What is to be gone must get into no links of a move. Asked each time: a run may take hours.
  const mayMove = async (unit: UnitPlace) =>
    !isDeletingOf(await readOpenDeletions(database.read), unit) && !(await isBackupRunning(context))
  await placeDays(context, policies, mayMove)
  tellFull(plan, context, deps)
  await warn(context, deps, { plan, units, policies })
}

async function readRetaining({ database, clock, held }: JobContext) {
  const policies = await readAllPolicies(database.read)
  const nowMs = clock.nowMs()
  if (!policies.some(({ retainsSinceMs = 0 }) => retainsSinceMs > nowMs)) return policies
  await beginLateRetentions(database, nowMs, held)
  return await readAllPolicies(database.read)
}

async function warn(
  context: JobContext,
  { warnings }: RetentionDeps,
  seen: {
    readonly plan: RetentionPlan
    readonly units: readonly StoredUnit[]
    readonly policies: readonly (KeptPolicy & { readonly isRemoved: boolean })[]
  },
): Promise<void> {
  if (warnings === undefined) return
  const failing = (await readArchives(context.database.read)).filter(
    ({ state, fault, isForeign }) => state === 'asked' && fault !== '' && !isForeign,
  )
  const freeShare = await warnings.readFreeShare().catch(() => undefined)
  const disks = await readDisks(context.store, context.signal)
  const told = seen.policies.map((policy) => ({
    policy,
    facts: {
      bytes: seen.units
        .filter(({ policyId }) => policyId === policy.id)
        .reduce((sum, { bytes }) => sum + bytes, 0),
      maxBytes: policy.policy.storageMaxBytes,
      isFull: seen.plan.full.some(({ policyId }) => policyId === policy.id),
      isArchiveFailing: failing.some(({ policyId }) => policyId === policy.id),
      freeShare: leastFree(freeShare, policy.policy.storageDirectory, disks),
    },
  }))
  await tellWarnings(context, warnings, told)
}

/** Of the disk of the data directory, and of the one where days of the policy go. */
function leastFree(own: number | undefined, directory: string, disks: readonly StoreDisk[]) {
  const disk = disks.find((one) => one.directory === directory)
  if (disk === undefined || disk.totalBytes === 0) return own
  return Math.min(own ?? 1, disk.freeBytes / disk.totalBytes)
}

/** Policies that were full at the last run of this process: said once. */
let saidFull = ''

function tellFull({ full }: RetentionPlan, { logger }: JobContext, { onFull }: RetentionDeps) {
  onFull?.(full.length)
  const text = full.map(({ policyId }) => policyId).join(' ')
  if (text === saidFull) return
  saidFull = text
  for (const { policyId, bytes, maxBytes } of full)
    logger.warn('the storage of a collection policy is full', { policy: policyId, bytes, maxBytes })
}

async function finish(
  context: JobContext,
  { eventLog, onRemoved }: RetentionDeps,
  removal: UnitRemoval,
): Promise<void> {
  const { database, store, clock, logger, signal, held } = context
  // After it has begun: no hold comes to be while one is open.
  const heldSql = heldRowsSql(await readHeldEvents(database.read))
  const { policyId, cause } = removal
  const policy = (await readAllPolicies(database.read)).find(({ id }) => id === policyId)
  const mustBeArchived = policy !== undefined && isArchiving(policy.policy)
  const sum = await removeUnit(
    {
      ...{ store, eventLog, clock, signal, heldSql },
      ...(mustBeArchived ? { isArchived: () => isArchived(context, removal) } : {}),
    },
    removal,
  )
  const fields = { policy: policyId, day: printDay(removal.day) ?? '', cause }
  if (sum === 'held' || sum === 'postponed' || sum === 'unarchived') {
    await abandonRemoval(database, removal, held)
    logger.info('a day of the store was not removed', { ...fields, why: sum })
    return
  }
  // Writers wait with events of the unit until it is done.
  const bounds = await readBounds(eventLog)
  await endRemoval(database, removal, { ...sum, nowMs: clock.nowMs(), bounds }, held)
  onRemoved?.(sum)
  logger.info('a day was removed from the store', { ...fields, ...sum })
}

async function isBackupRunning({ database }: JobContext): Promise<boolean> {
  return (await readBackups(database.read)).some(
    ({ state, isDryRun }) => state === 'running' && !isDryRun,
  )
}
