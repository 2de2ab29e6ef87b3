// Writes one unit (policy, day of receipt) away (docs/decisions/0108):
//   1. the row of the archive says `writing` already; what an earlier try left is removed
//   2. each object is written, read back from its place, and loaded: the rows that come out are
//      those of the store, by digests of all that they hold
//   3. the manifest is written, last
//   4. the row is `done`
// Whatever ends this process before 4, there is no archive; the next try begins anew.
import { type Archive, endArchive } from '../../infra/metastore/archive/archives.ts'
import { readLogPaths } from '../../infra/metastore/retention/log-paths.ts'
import type { ObjectStore } from '../../infra/objects/port.ts'
import type { JobContext } from '../../infra/scheduler/job.ts'
import { joinDigests } from '../../schemas/archive/digest.ts'
import { ARCHIVE_FORMAT, type ArchiveManifest, MANIFEST } from '../../schemas/archive/manifest.ts'
import { EVENT_COLUMNS } from '../../schemas/event-row.ts'
import { Failure } from '../../schemas/failures.ts'
import { printDay } from '../../schemas/keep/store-damage.ts'
import { UnitReader, unitKey } from '../ledger/unit-sums.ts'
import { hashOf, keyOf, readChecked, readManifest, removeObjects } from './objects-of.ts'
import { planObjects } from './plan-objects.ts'
import { compare, empty, fill, type RowsDigest } from './staging.ts'

const TIMEOUT_MS = 600_000
/** Events come late to the day meanwhile, or are deleted: the object is written again. */
const TRIES = 3
const COLUMNS = EVENT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ')

export type WriteDeps = {
  readonly objects: ObjectStore
  readonly checksum: ArchiveManifest['checksum']
  /** Of events an object; for tests. */
  readonly objectBytes?: number | undefined
}

type ManifestObject = ArchiveManifest['objects'][number]
type LogSum = Omit<ArchiveManifest['logs'][number], 'path' | 'columns'>
type Written = {
  readonly object: ManifestObject
  readonly digest: RowsDigest
  readonly logs: readonly LogSum[]
}

/** Gives the manifest of an archive that is whole. Fails with archive.*, object_store.*,
 *  store.*. */
export async function writeArchive(
  context: JobContext,
  archive: Archive,
  deps: WriteDeps,
): Promise<ArchiveManifest> {
  const { database, store, clock, held, signal } = context
  const { objects } = deps
  await removeObjects(objects, archive, signal)
  const plan = await planObjects(store, archive, {
    signal,
    ...(deps.objectBytes === undefined ? {} : { objectBytes: deps.objectBytes }),
  })
  const written: Written[] = []
  for (const [at, where] of plan.entries()) {
    const name = `${String(at + 1).padStart(6, '0')}.native.zst`
    written.push(await writeObject(context, { archive, name, where }, deps))
  }
  await empty(context)
  const manifest = await composeManifest(context, archive, { written, checksum: deps.checksum })
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  await objects.put(keyOf(archive, MANIFEST), give(bytes))
  const checksum = hashOf('sha256', bytes)
  await readManifest(objects, { ...archive, checksum })
  const { events, bytes: size, digest, logs } = manifest
  const change = { events, bytes: size, places: digest.places, checksum, logs, fault: '' }
  const atMs = clock.nowMs()
  await endArchive(database, archive, { ...change, writtenMs: atMs, verifiedMs: atMs }, held)
  return manifest
}

async function writeObject(
  context: JobContext,
  { archive, name, where }: { archive: Archive; name: string; where: string },
  { objects, checksum }: WriteDeps,
): Promise<Written> {
  const { store, signal } = context
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const packed: Uint8Array[] = []
    const query = {
      sql: `SELECT ${COLUMNS} FROM events WHERE ${where}`,
      timeoutMs: TIMEOUT_MS,
      signal,
    }
    for await (const piece of store.readPacked(query)) packed.push(piece)
    const bytes = Buffer.concat(packed)
    const object = { name, events: 0, bytes: bytes.length, checksum: hashOf(checksum, bytes) }
    await objects.put(keyOf(archive, name), give(bytes))
    const back = await readChecked(objects, archive, object, checksum)
    await fill(context, back, `logeye-${archive.entry}-${name}`)
    const digest = await compare(context, where)
    if (digest === undefined) continue
    const logs = await readLogs(context)
    return { object: { ...object, events: digest.events }, digest, logs }
  }
  throw new Failure('archive.damaged', { what: 'the day changed while it was written' })
}

async function readLogs({ store, signal }: JobContext): Promise<LogSum[]> {
  const rows = await store.query<{
    log_id: number
    events: string
    bytes: string
    first: string
    last: string
  }>({
    sql: `SELECT log_id, count() AS events, sum(toUInt64(size)) AS bytes, toUnixTimestamp64Milli(min(timestamp)) AS first,
      toUnixTimestamp64Milli(max(timestamp)) AS last FROM archived GROUP BY log_id`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return rows.map(({ log_id: id, events, bytes, first, last }) => ({
    ...{ id, events: Number(events), bytes: Number(bytes) },
    ...{ fromMs: Number(first), toMs: Number(last) },
  }))
}

async function composeManifest(
  { metastore, database, store, clock, signal }: JobContext,
  archive: Archive,
  { written, checksum }: { written: readonly Written[]; checksum: ArchiveManifest['checksum'] },
): Promise<ArchiveManifest> {
  const logs = new Map<number, LogSum>()
  for (const log of written.flatMap((one) => one.logs)) {
    const before = logs.get(log.id)
    logs.set(log.id, {
      ...{ id: log.id, events: log.events + (before?.events ?? 0) },
      ...{ bytes: log.bytes + (before?.bytes ?? 0) },
      ...{ fromMs: Math.min(log.fromMs, before?.fromMs ?? log.fromMs) },
      ...{ toMs: Math.max(log.toMs, before?.toMs ?? log.toMs) },
    })
  }
  const all = [...logs.values()].sort((a, b) => a.id - b.id)
  const pathOf = await readLogPaths(database.read)
  const columns = await metastore.columns(logs.keys())
  const reader = new UnitReader(store, signal)
  const { units } = await reader.received()
  const gone = (await reader.gone()).filter((one) => unitKey(one) === unitKey(archive))
  return {
    ...{ format: ARCHIVE_FORMAT, entry: archive.entry },
    policy: { id: archive.policyId, name: archive.policy },
    ...{ day: archive.day, date: printDay(archive.day) ?? '' },
    writtenAt: new Date(clock.nowMs()).toISOString(),
    events: all.reduce((sum, { events }) => sum + events, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    digest: { places: joinDigests(written.map(({ digest }) => digest.places)) },
    ledger: {
      received: units.get(unitKey(archive)) ?? 0,
      gone: gone.reduce((sum, { events }) => sum + events, 0),
    },
    columns: EVENT_COLUMNS.map(({ name, type }) => ({ name, type })),
    checksum,
    objects: written.map(({ object }) => object),
    logs: all.map((log) => ({
      ...log,
      path: pathOf(log.id)?.levels ?? [],
      columns: (columns.get(log.id) ?? []).map(({ name, kind }) => ({ name, kind })),
    })),
  }
}

async function* give(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
