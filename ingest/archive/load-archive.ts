// Brings an archived day back into `events`, under a number of its own (docs/decisions/0108):
//   1. the row says `loading`: nobody finds what has that number; what an earlier try left goes
//   2. each object is read, compared with its checksum, loaded beside, and moved over, without
//      events that are in the store already
//   3. what was deleted since is deleted
//   4. the row says `thawed`
// Whatever ends this process in between, the next run begins with 1.
import type { Archive } from '../../infra/metastore/archive/archives.ts'
import { changeThaw, type Thaw } from '../../infra/metastore/archive/thaws.ts'
import { takeIds } from '../../infra/metastore/counters.ts'
import { readDeletions } from '../../infra/metastore/retention/deletions.ts'
import type { ObjectStore } from '../../infra/objects/port.ts'
import type { JobContext } from '../../infra/scheduler/job.ts'
import type { ArchiveManifest } from '../../schemas/archive/manifest.ts'
import { FIRST_THAWED, thawedUnit } from '../../schemas/archive/thawed-unit.ts'
import { EVENT_COLUMNS, type EventColumn } from '../../schemas/event-row.ts'
import { Failure } from '../../schemas/failures.ts'
import { LEVEL_SEPARATOR, logPathKey } from '../../schemas/names/log-path.ts'
import { localName, onCluster } from '../../schemas/store/cluster.ts'
import { readChecked, readManifest } from './objects-of.ts'
import { daySql, unitSql } from './plan-objects.ts'
import { countFilled, empty, fill } from './staging.ts'

const TIMEOUT_MS = 900_000
const ALL_DELETIONS = 1_000_000_000
/** A place of the event log that the writer never comes to again has room for so many of another
 *  product: its index has 32 bits, and a block of ours never half of them. */
const FIRST_FOREIGN = 2 ** 31

/** How many events are searchable. Fails with archive.*, object_store.*, store.*. */
export async function loadArchive(
  context: JobContext,
  { thaw, archive, objects }: { thaw: Thaw; archive: Archive; objects: ObjectStore },
): Promise<number> {
  const { database, store, signal, held } = context
  await changeThaw(database, thaw, { state: 'loading' }, held)
  await dropThawed(context, thawedUnit(thaw.number), archive)
  const manifest = await readManifest(objects, archive)
  const values = archive.isForeign
    ? await placeForeign(context, manifest)
    : { logs: undefined, firstIndex: undefined }
  let firstIndex = values.firstIndex
  for (const object of manifest.objects) {
    signal.throwIfAborted()
    const bytes = await readChecked(objects, archive, object, manifest.checksum)
    await fill(context, bytes, `logeye-thaw-${thaw.number}-${object.name}`)
    const events = await countFilled(context)
    if (events !== object.events)
      throw new Failure('archive.damaged', { what: `${object.name} has other events` })
    await move(context, { thaw, archive, logs: values.logs, firstIndex })
    if (firstIndex !== undefined) firstIndex += events
  }
  await empty(context)
  const logIds = values.logs?.values() ?? archive.logs.map(({ id }) => id)
  await deleteDeleted(context, { thaw, archive, logIds: new Set(logIds) })
  const unit = { policyId: thawedUnit(thaw.number), day: archive.day }
  const [row] = await store.query<{ events: string }>({
    sql: `SELECT count() AS events FROM events WHERE ${unitSql(unit)}`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return Number(row?.events ?? 0)
}

/** Nothing of the thaw is in the store afterwards; a second time does nothing. */
export async function dropThawed(
  { store, signal }: JobContext,
  unit: number,
  { day }: Pick<Archive, 'day'>,
): Promise<void> {
  const { cluster } = store
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  await store.command({
    sql: `ALTER TABLE ${localName('events', cluster)}${onCluster(cluster)} DROP PARTITION (${Math.trunc(unit)}, ${Number(date)})`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  await store.catchUp('events')
}

type Moved = {
  readonly thaw: Thaw
  readonly archive: Archive
  /** Ids there and here; undefined: they are the same. */
  readonly logs?: ReadonlyMap<number, number> | undefined
  readonly firstIndex?: number | undefined
}

async function move(context: JobContext, { thaw, archive, logs, firstIndex }: Moved) {
  const { store, signal } = context
  const changed: Partial<Record<EventColumn, string>> = {
    policy: `toUInt16(${thawedUnit(thaw.number)})`,
    ...(logs === undefined
      ? {}
      : {
          log_id: `transform(log_id, [${[...logs.keys()].join(', ')}], [${[...logs.values()].join(', ')}], toUInt32(0))`,
        }),
    ...(firstIndex === undefined
      ? {}
      : {
          partition: 'toUInt16(0)',
          offset: 'toUInt64(0)',
          index: `toUInt32(${Math.trunc(firstIndex)} + rowNumberInAllBlocks())`,
        }),
  }
  const names = EVENT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ')
  const selected = EVENT_COLUMNS.map(({ name }) => changed[name] ?? `\`${name}\``).join(', ')
  // Of the same day: what came back with an older store, or is thawed from another archive.
  const own = thawedUnit(thaw.number)
  const others = `(policy = ${archive.policyId} OR policy >= ${FIRST_THAWED} AND policy != ${own}) AND ${daySql(archive.day)}`
  const times =
    'timestamp >= (SELECT min(timestamp) FROM archived) AND timestamp <= (SELECT max(timestamp) FROM archived)'
  const isThere = `(partition, \`offset\`, \`index\`) IN (SELECT partition, \`offset\`, \`index\` FROM events WHERE ${others} AND ${times})`
  const where = firstIndex === undefined ? ` WHERE NOT (${isThere})` : ''
  await store.command({
    sql: `INSERT INTO events (${names}) SELECT ${selected} FROM archived${where}`,
    settings: { max_insert_threads: 1, max_threads: 1 },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
}

type Deleted = {
  readonly thaw: Thaw
  readonly archive: Archive
  /** Ids here. */
  readonly logIds: ReadonlySet<number>
}

/** By the conditions with which they left the store. Those from before an archive of another
 *  product was taken up meant other events. */
async function deleteDeleted(
  context: JobContext,
  { thaw, archive, logIds }: Deleted,
): Promise<void> {
  const { database, store, signal } = context
  const { cluster } = store
  const sinceMs = archive.isForeign ? archive.askedMs : 0
  const deletions = (await readDeletions(database.read, ALL_DELETIONS)).filter(
    ({ logId, askedMs }) => logIds.has(logId) && askedMs >= sinceMs,
  )
  const unit = unitSql({ policyId: thawedUnit(thaw.number), day: archive.day })
  for (const { condition } of deletions) {
    const where = `${unit} AND (${condition})`
    const found = {
      sql: `SELECT 1 AS found FROM events WHERE ${where} LIMIT 1`,
      timeoutMs: TIMEOUT_MS,
      signal,
    }
    if ((await store.query(found)).length === 0) continue
    await store.command({
      sql: `ALTER TABLE ${localName('events', cluster)}${onCluster(cluster)} DELETE WHERE ${where}`,
      settings: { mutations_sync: 2 },
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    if ((await store.query(found)).length > 0)
      throw new Failure('store.failed', {}, new Error('what was deleted is still in a thawed day'))
  }
}

/** Where events of another product lie here: in its logs of the same paths, at places that no event
 *  of ours has. Fails with archive.no_log. */
async function placeForeign(
  { database, metastore }: JobContext,
  manifest: ArchiveManifest,
): Promise<{ logs: ReadonlyMap<number, number>; firstIndex: number }> {
  const { logsByPath } = await metastore.tree()
  const logs = new Map<number, number>()
  for (const { id, path } of manifest.logs) {
    const there = logsByPath.get(logPathKey(path.slice(0, -1), path.at(-1) ?? ''))
    if (there === undefined)
      throw new Failure('archive.no_log', { log: path.join(LEVEL_SEPARATOR) })
    logs.set(id, there.id)
  }
  await metastore.addColumns(
    manifest.logs.flatMap(({ id, columns }) =>
      columns.map((column) => ({ ...column, logId: logs.get(id) ?? 0 })),
    ),
  )
  const first = await database.write((transaction) =>
    takeIds(transaction, 'foreignEvent', Math.max(1, manifest.events)),
  )
  if (first + manifest.events > FIRST_FOREIGN)
    throw new Failure('object.too_many', { kind: 'event of other products', max: FIRST_FOREIGN })
  return { logs, firstIndex: FIRST_FOREIGN + first - 1 }
}
