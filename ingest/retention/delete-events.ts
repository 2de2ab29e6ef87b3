// Takes events that a command deleted out of the store (docs/decisions/0085). They are hidden from
// the command on; here they go:
//   1. everything that was in the event log is committed: so what is deleted lies below places that
//      no look-up of the writer asks about again
//   2. bounds and units are in the database: the ledger judges nothing of these units
//   3. the entries are in `gone`, in one insert
//   4. a mutation deletes the rows below the bounds
//   5. old files are off the disk
// Each step may be done again.
import type { EventLog } from '../../infra/event-log/port.ts'
import { makeDeletionEntry } from '../../infra/evidence/deletion-entry.ts'
import { recountThaws } from '../../infra/metastore/archive/thaws.ts'
import { changeDeletion, type Deletion } from '../../infra/metastore/retention/deletions.ts'
import type { JobContext } from '../../infra/scheduler/job.ts'
import { readUnits } from '../../infra/store/read-units.ts'
import { FIRST_THAWED, isThawedUnit } from '../../schemas/archive/thawed-unit.ts'
import { localName, onCluster, systemTable } from '../../schemas/store/cluster.ts'
import { GONE_COLUMNS } from '../../schemas/store/tables.ts'
import { countFilled, empty } from '../archive/staging.ts'

const TIMEOUT_MS = 300_000
/** For what is under way; a later run goes on. */
const WAIT_MS = 300_000
const LOOK_MS = 200
const ENTRY = /^deletion-\d{1,15}-[0-9a-f]{1,32}$/
const ONE_BLOCK_ROWS = 1_000_000

type Deps = {
  readonly eventLog: Pick<EventLog, 'partitions' | 'status'>
  /** Of the hashes of rows; undefined: nothing is signed yet. */
  readonly readDigestKey: () => Promise<Buffer | undefined>
}

/** False: it is not at its end yet. */
export async function deleteEvents(
  context: JobContext,
  { eventLog, readDigestKey }: Deps,
  deletion: Deletion,
): Promise<boolean> {
  const { database, held, clock, logger } = context
  if (!ENTRY.test(deletion.entry)) throw new Error('the name of a deletion was not made here')
  let at = deletion
  const change = async (
    next: Parameters<typeof changeDeletion>[2],
    alsoDo?: Parameters<typeof changeDeletion>[4],
  ) => {
    await changeDeletion(database, at, next, held, alsoDo)
    at = { ...at, ...next }
  }
  if (at.state === 'hidden') {
    const bounds = at.bounds.length > 0 ? at.bounds : await readEnds(eventLog)
    if (at.bounds.length === 0) await change({ bounds })
    if (!(await waitFor(context, () => isCommitted(eventLog, bounds)))) return false
    const units = await readTouched(context, at)
    // From now on none of them is signed (infra/evidence/is-leaving.ts).
    await change({ units })
    const tell = await makeDeletionEntry(context, {
      ...{ deletion: at, units, where: whereOf(at) },
      digestKey: await readDigestKey(),
    })
    if (tell === undefined) return false
    await change({ state: 'entered' }, tell)
  }
  if (at.state === 'entered') {
    const sum = await enter(context, at)
    await mutate(context, at)
    if (!(await waitFor(context, () => isMutated(context, at)))) return false
    // What an archive or a thaw that failed had there; nothing else uses it now.
    if ((await countFilled(context)) > 0) await empty(context)
    const units = await readUnits(context.store, context.signal)
    const eventsOf = (id: number) => units.find(({ policyId }) => policyId === id)?.events ?? 0
    await change({ state: 'removed', ...sum }, (transaction) => recountThaws(transaction, eventsOf))
  }
  if (at.state === 'removed') {
    // The engine keeps files that were merged or changed for a minute.
    if (!(await isOffDisk(context, at))) return false
    await change({ state: 'done', endedMs: clock.nowMs() })
    logger.info('deleted events are off the disk', { number: at.number, events: at.events })
  }
  return true
}

async function readEnds(eventLog: Deps['eventLog']): Promise<[number, number][]> {
  const bounds: [number, number][] = []
  for (let partition = 0; partition < eventLog.partitions; partition += 1)
    bounds.push([partition, (await eventLog.status(partition)).end])
  return bounds
}

async function isCommitted(
  eventLog: Deps['eventLog'],
  bounds: Deletion['bounds'],
): Promise<boolean> {
  for (const [partition, end] of bounds)
    if ((await eventLog.status(partition)).next < end) return false
  return true
}

/** The condition, below the bounds. */
function whereOf({ condition, bounds }: Deletion): string {
  const below = bounds.map(
    ([partition, offset]) => `(partition = ${Number(partition)} AND offset < ${BigInt(offset)})`,
  )
  // What a thaw brought back was committed long ago.
  const isSettled = [...below, `policy >= ${FIRST_THAWED}`].join(' OR ')
  return `(${condition}) AND (${isSettled})`
}

type Counted = { policy: number; day: number; log_id: number; events: string; bytes: string }

async function count({ store, signal }: JobContext, deletion: Deletion): Promise<Counted[]> {
  await store.catchUp('events')
  return await store.query<Counted>({
    sql: `SELECT policy, toUInt32(intDiv(toUnixTimestamp64Milli(received), 86400000)) AS day, log_id,
      count() AS events, sum(toUInt64(size)) AS bytes FROM events WHERE ${whereOf(deletion)}
      GROUP BY policy, day, log_id ORDER BY policy, day, log_id`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
}

/** Without thawed copies, which are in no sum. */
async function countReceived(context: JobContext, deletion: Deletion): Promise<Counted[]> {
  return (await count(context, deletion)).filter(({ policy }) => !isThawedUnit(policy))
}

async function readTouched(context: JobContext, deletion: Deletion): Promise<[number, number][]> {
  return (await countReceived(context, deletion)).map(({ policy, day }) => [policy, day])
}

/** Nothing has been deleted before the entries are there. */
async function enter(
  context: JobContext,
  deletion: Deletion,
): Promise<{ events: number; bytes: number }> {
  const { store, clock, signal } = context
  const { entry } = deletion
  await store.kill(queryIdOf(entry))
  await store.catchUp('gone')
  const [there] = await store.query<{ rows: string; events: string; bytes: string }>({
    sql: 'SELECT count() AS rows, sum(events) AS events, sum(bytes) AS bytes FROM gone FINAL WHERE entry = {entry: String}',
    params: { entry },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  if (Number(there?.rows ?? 0) > 0)
    return { events: Number(there?.events), bytes: Number(there?.bytes) }
  const counted = await countReceived(context, deletion)
  const at = `fromUnixTimestamp64Milli(${Math.trunc(clock.nowMs())})`
  const values = counted.map(({ policy, day, log_id, events, bytes }) => {
    const numbers = [policy, day, log_id, 0].map(Number).join(', ')
    return `(${numbers}, '${entry}', 'deletion', ${Number(events)}, ${Number(bytes)}, ${at})`
  })
  if (values.length > 0)
    await store.command({
      sql: `INSERT INTO gone (${GONE_COLUMNS.map(({ name }) => name).join(', ')}) VALUES ${values.join(', ')}`,
      settings: { max_insert_block_size: ONE_BLOCK_ROWS },
      queryId: queryIdOf(entry),
      timeoutMs: TIMEOUT_MS,
      signal,
    })
  return {
    events: counted.reduce((sum, { events }) => sum + Number(events), 0),
    bytes: counted.reduce((sum, { bytes }) => sum + Number(bytes), 0),
  }
}

/** One at a time: the engine goes on with it after a kill. Another where rows came back after one
 *  had ended, as from links of a move to another disk. */
async function mutate(context: JobContext, deletion: Deletion): Promise<void> {
  const { store, signal } = context
  if ((await readMutations(context, deletion)).some(({ is_done }) => is_done !== 1)) return
  if ((await count(context, deletion)).length === 0) return
  const { cluster } = store
  await store.command({
    // Its name is how it is found again.
    sql: `ALTER TABLE ${localName('events', cluster)}${onCluster(cluster)} DELETE WHERE ${whereOf(deletion)} AND notEmpty('${deletion.entry}')`,
    settings: { mutations_sync: 0 },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
}

type Mutation = { mutation_id: string; is_done: number }

async function readMutations(
  { store, signal }: JobContext,
  { entry }: Deletion,
): Promise<readonly Mutation[]> {
  return await store.query<Mutation>({
    sql: `SELECT mutation_id, is_done FROM ${systemTable('mutations', store.cluster)}
      WHERE table = {table: String} AND position(command, {entry: String}) > 0`,
    params: { table: localName('events', store.cluster), entry },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
}

/** By its effect: the engine forgets old mutations. */
async function isMutated(context: JobContext, deletion: Deletion): Promise<boolean> {
  const mutations = await readMutations(context, deletion)
  if (mutations.some(({ is_done }) => is_done !== 1)) return false
  return (await count(context, deletion)).length === 0
}

/** No file is left of a part of before the last mutation, also of thawed days: on one server its
 *  number tells. */
async function isOffDisk(context: JobContext, deletion: Deletion): Promise<boolean> {
  const { store, signal } = context
  if (store.cluster !== undefined) return true
  const versions = (await readMutations(context, deletion)).map(({ mutation_id }) =>
    Number(/^mutation_(\d+)\.txt$/.exec(mutation_id)?.[1] ?? 0),
  )
  const version = Math.max(0, ...versions)
  if (version === 0) return true
  const partitions = deletion.units.map(([policyId, day]) => {
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
    return `${policyId}-${date}`
  })
  const old = await store.query({
    sql: `SELECT name FROM system.parts WHERE database = currentDatabase() AND table = 'events'
      AND (partition_id IN {partitions: Array(String)} OR toUInt32OrZero(splitByChar('-', partition_id)[1]) >= ${FIRST_THAWED})
      AND data_version < {version: UInt64} LIMIT 1`,
    params: { partitions, version },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return old.length === 0
}

async function waitFor(
  { clock, signal }: JobContext,
  isOver: () => Promise<boolean>,
): Promise<boolean> {
  const beganMs = clock.elapsedMs()
  while (!(await isOver())) {
    if (signal.aborted || clock.elapsedMs() - beganMs > WAIT_MS) return false
    await clock.sleep(LOOK_MS, signal)
  }
  return true
}

function queryIdOf(entry: string): string {
  return `logeye-${entry}-gone`
}
