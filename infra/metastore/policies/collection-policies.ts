// Changes of collection policies, each inside the caller's write transaction. Events and old
// versions of accounts name a policy by its number: the row of a removed one stays.
import type { Transaction } from 'kysely'
import {
  type CollectionPolicy,
  collectionPolicySchema,
  MAX_COLLECTION_POLICIES,
} from '../../../schemas/collection-policy.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import type { CollectionPolicyRow, Tables } from '../../database/tables.ts'
import { readCurrentSettings } from '../accounts/account-settings.ts'
import { takeIds } from '../counters.ts'
import { noteForwardStart } from '../forwarding/forward-starts.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'
import { findTaskUsers } from '../tasks/task-users.ts'

/** What is undefined stays as it is, or gets its default in a new policy. */
export type CollectionPolicyChange = {
  readonly [K in keyof CollectionPolicy]?: CollectionPolicy[K] | undefined
}

export type KeptPolicy = {
  readonly id: number
  /** Since when its limits of storage are in force; undefined: they are not (a version that removed
   *  nothing took them). */
  readonly retainsSinceMs: number | undefined
  readonly name: string
  readonly policy: CollectionPolicy
}

const KIND = 'collection policy'
/** UInt16 in the store; the upper half is of thawed days (schemas/archive/thawed-unit.ts). */
const MAX_ID = 32_767
export const DEFAULT_POLICY_ID = 1
const MAX_NAMED = 10

/** Fails with object.exists, object.looks_alike, object.invalid (name), object.too_many. */
export async function addPolicy(
  transaction: Transaction<Tables>,
  name: string,
  change: CollectionPolicyChange,
  clock: Pick<Clock, 'nowMs'>,
): Promise<KeptPolicy> {
  const others = await readPolicies(transaction)
  const folded = foldName(name)
  if (others.some((it) => it.name_folded === folded))
    throw new Failure('object.exists', { kind: KIND, name })
  requireNameCharacters(KIND, name)
  refuseAlike(KIND, name, others)
  if (others.length >= MAX_COLLECTION_POLICIES) throw tooMany(MAX_COLLECTION_POLICIES)
  const id = await takeIds(transaction, 'collectionPolicy', 1)
  if (id > MAX_ID) throw tooMany(MAX_ID)
  const policy = merged(collectionPolicySchema.parse({}), change)
  await transaction
    .insertInto('collection_policies')
    .values({ ...rowOf(policy), id, name, name_folded: folded, removed_ms: null })
    .execute()
  await noteForwarding(transaction, id, { before: '', after: policy.forwardTo }, clock)
  return { id, name, policy, retainsSinceMs: await retainSince(transaction, id, change, clock) }
}

/** Fails with object.not_found. */
export async function changePolicy(
  transaction: Transaction<Tables>,
  name: string,
  change: CollectionPolicyChange,
  clock: Pick<Clock, 'nowMs'>,
): Promise<KeptPolicy> {
  const before = await requirePolicy(transaction, name)
  const policy = merged(before.policy, change)
  await transaction
    .updateTable('collection_policies')
    .set(rowOf(policy))
    .where('id', '=', before.id)
    .execute()
  const to = { before: before.policy.forwardTo, after: policy.forwardTo }
  await noteForwarding(transaction, before.id, to, clock)
  const since = await retainSince(transaction, before.id, change, clock)
  return { ...before, policy, retainsSinceMs: since ?? before.retainsSinceMs }
}

/** Fails with object.not_found, object.built_in, object.in_use, which names the logs that are
 *  `visible`. */
export async function removePolicy(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
  visible: 'all' | ReadonlySet<number>,
): Promise<void> {
  const { id, name: kept } = await requirePolicy(transaction, name)
  if (id === DEFAULT_POLICY_ID) throw new Failure('object.built_in', { kind: KIND, name: kept })
  const users = await describeUsers(transaction, id, visible)
  if (users.length > 0)
    throw new Failure('object.in_use', { kind: KIND, name: kept, users: users.join(', ') })
  await transaction
    .updateTable('collection_policies')
    // Its name is free again; none can hold a line end.
    .set({ removed_ms: clock.nowMs(), name_folded: `${foldName(kept)}\n${id}` })
    .where('id', '=', id)
    .execute()
  await noteForwardStart(transaction, id, undefined)
}

/** Fails with object.not_found. */
export async function requirePolicy(
  transaction: Transaction<Tables>,
  name: string,
): Promise<KeptPolicy> {
  const folded = foldName(name)
  const row = (await readPolicies(transaction)).find((it) => it.name_folded === folded)
  if (row === undefined) throw new Failure('object.not_found', { kind: KIND, name })
  const since = await readRetentions(transaction)
  return { id: row.id, name: row.name, policy: policyOf(row), retainsSinceMs: since.get(row.id) }
}

/** Those that are there, by name. */
export async function listPolicies(transaction: Transaction<Tables>): Promise<KeptPolicy[]> {
  const rows = await readPolicies(transaction)
  const since = await readRetentions(transaction)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    policy: policyOf(row),
    retainsSinceMs: since.get(row.id),
  }))
}

/** Also those that were removed: events lie under them. */
export async function readAllPolicies(
  db: Database['read'],
): Promise<readonly (KeptPolicy & { readonly isRemoved: boolean })[]> {
  const rows = await db.selectFrom('collection_policies').selectAll().orderBy('id').execute()
  const since = await readRetentions(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    policy: policyOf(row),
    retainsSinceMs: since.get(row.id),
    isRemoved: row.removed_ms !== null,
  }))
}

/** Another address goes on where the former one was. */
async function noteForwarding(
  transaction: Transaction<Tables>,
  id: number,
  { before, after }: { readonly before: string; readonly after: string },
  clock: Pick<Clock, 'nowMs'>,
): Promise<void> {
  if ((before === '') === (after === '')) return
  await noteForwardStart(transaction, id, after === '' ? undefined : clock.nowMs())
}

/** Undefined where the change says nothing of it. */
async function retainSince(
  transaction: Transaction<Tables>,
  id: number,
  { storageDays, storageMaxBytes, archiveDays }: CollectionPolicyChange,
  clock: Pick<Clock, 'nowMs'>,
): Promise<number | undefined> {
  const limits = [storageDays, storageMaxBytes, archiveDays]
  if (limits.every((limit) => limit === undefined)) return undefined
  const sinceMs = clock.nowMs()
  await transaction.deleteFrom('policy_retentions').where('policy_id', '=', id).execute()
  await transaction
    .insertInto('policy_retentions')
    .values({ policy_id: id, since_ms: sinceMs })
    .execute()
  return sinceMs
}

/** Limits of a time to come are of a database that was put back, or of a clock that was ahead: they
 *  count from now on. Fails with database.lease_lost. */
export async function beginLateRetentions(
  database: Database,
  nowMs: number,
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('policy_retentions')
      .set({ since_ms: nowMs })
      .where('since_ms', '>', nowMs)
      .execute()
  })
}

async function readRetentions(db: Database['read']): Promise<ReadonlyMap<number, number>> {
  const rows = await db.selectFrom('policy_retentions').selectAll().execute()
  return new Map(rows.map(({ policy_id, since_ms }) => [policy_id, Number(since_ms)]))
}

function readPolicies(transaction: Transaction<Tables>): Promise<CollectionPolicyRow[]> {
  const all = transaction.selectFrom('collection_policies').selectAll()
  return all.where('removed_ms', 'is', null).orderBy('name_folded').execute()
}

/** [] when nothing uses it; what may not be named is told of as such. */
async function describeUsers(
  transaction: Transaction<Tables>,
  id: number,
  visible: 'all' | ReadonlySet<number>,
): Promise<string[]> {
  const logs = await transaction
    .selectFrom('logs')
    .select(['id', 'name'])
    .where('policy_id', '=', id)
    .where('removed_ms', 'is', null)
    .orderBy('id')
    .execute()
  const accounts = await readCurrentSettings(transaction)
  const seen = logs.filter((log) => visible === 'all' || visible.has(log.id))
  const using = accounts.filter(({ policyId }) => policyId === id)
  const named = [
    ...seen.slice(0, MAX_NAMED).map(({ name }) => `the log ${name}`),
    ...(seen.length > MAX_NAMED ? [`${seen.length - MAX_NAMED} logs more`] : []),
    ...(using.length > 0 ? ['listener accounts'] : []),
    ...(await findTaskUsers(transaction, { policyId: id })),
  ]
  return seen.length < logs.length ? [...named, 'what you may not view'] : named
}

function policyOf(row: CollectionPolicyRow): CollectionPolicy {
  try {
    const settings: unknown = JSON.parse(row.settings)
    return { ...collectionPolicySchema.parse(settings), description: row.description }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}

function rowOf(policy: CollectionPolicy) {
  return { description: policy.description, settings: JSON.stringify(policy) }
}

function merged(before: CollectionPolicy, change: CollectionPolicyChange): CollectionPolicy {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return collectionPolicySchema.parse({ ...before, ...Object(given) })
}

function tooMany(max: number): Failure {
  return new Failure('object.too_many', { kind: KIND, max })
}
