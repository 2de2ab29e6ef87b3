// What the job of retention does with archives in each run (docs/decisions/0108): thaws, archives
// that were asked for, checks, and archives whose time is over. One after the other, so that no two
// of them are at work on one day.
import { beginArchiveRemoval } from '../../infra/metastore/archive/archive-removal.ts'
import {
  type Archive,
  addArchive,
  changeArchive,
  forgetArchive,
  readArchives,
} from '../../infra/metastore/archive/archives.ts'
import {
  beginThawEnd,
  changeThaw,
  endThaw,
  readThaws,
  showThaw,
  type Thaw,
} from '../../infra/metastore/archive/thaws.ts'
import type { KeptPolicy } from '../../infra/metastore/policies/collection-policies.ts'
import {
  type Deletion,
  isDeletingOf,
  readOpenDeletions,
} from '../../infra/metastore/retention/deletions.ts'
import type { JobContext } from '../../infra/scheduler/job.ts'
import { readUnits } from '../../infra/store/read-units.ts'
import { PLACES_DIGEST } from '../../schemas/archive/digest.ts'
import { isThawedUnit, thawedUnit } from '../../schemas/archive/thawed-unit.ts'
import { RETENTION_GRACE_MS } from '../../schemas/collection-policy.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { UnitPlace } from '../ledger/unit-sums.ts'
import { dropThawed, loadArchive } from './load-archive.ts'
import { readChecked, readManifest, removeObjects } from './objects-of.ts'
import { openPlace, type PlaceDeps } from './open-place.ts'
import { unitSql } from './plan-objects.ts'
import { writeArchive } from './write-archive.ts'

const TIMEOUT_MS = 300_000
/** After a try that failed: a storage that is full or away is not filled again each moment. */
const RETRY_MS = 60_000
const UNIQUE_BYTES = 6

export type ArchiveDeps = Pick<PlaceDeps, 'keys' | 'spool'> & {
  /** Of events an object; for tests. */
  readonly objectBytes?: number
}

/** What the unit holds is in one whole archive: all of it and nothing else. */
export async function isArchived(context: JobContext, unit: UnitPlace): Promise<boolean> {
  const archives = await ofUnit(context, unit)
  const { events, places } = await digestUnit(context, unit)
  return archives.some(
    (one) => one.state === 'done' && one.events === events && one.places === places,
  )
}

/** False: it could not be archived, and the row of the archive says why. */
export async function ensureArchived(
  context: JobContext,
  deps: ArchiveDeps,
  { unit, policy: { name, policy } }: { unit: UnitPlace; policy: KeptPolicy },
): Promise<boolean> {
  if (await isArchived(context, unit)) return true
  const { database, clock } = context
  const open = (await ofUnit(context, unit)).find(({ state }) => isOpen(state))
  const place = { account: policy.archiveAccount, directory: policy.archiveDirectory }
  if (open !== undefined && open.account === place.account && open.directory === place.directory)
    return await write(context, deps, { archive: open, policy })
  // Of a place that the policy has no more.
  if (open !== undefined) await changeArchive(database, open, { state: 'removing' }, context.held)
  const unique = clock.randomBytes(UNIQUE_BYTES).toString('hex')
  const asked = { askedBy: '', askedMs: clock.nowMs() }
  const given = { ...place, ...unit, policy: name, ...asked }
  const archive = await database.write((transaction) => addArchive(transaction, given, unique))
  return await write(context, deps, { archive, policy })
}

/** Those that a command asked for, or that a kill cut off. */
export async function writeAsked(
  context: JobContext,
  deps: ArchiveDeps,
  policies: readonly KeptPolicy[],
): Promise<void> {
  for (const archive of await readArchives(context.database.read)) {
    if (context.signal.aborted) return
    if (!isOpen(archive.state)) continue
    const policy = policies.find(({ id }) => id === archive.policyId)?.policy
    if (archive.isForeign) await adopt(context, deps, archive)
    else if ((await digestUnit(context, archive)).events === 0)
      // The day has left the store.
      await changeArchive(context.database, archive, { state: 'removing' }, context.held)
    else if (policy !== undefined) await write(context, deps, { archive, policy })
  }
}

async function write(
  context: JobContext,
  deps: ArchiveDeps,
  { archive, policy }: { archive: Archive; policy: KeptPolicy['policy'] },
): Promise<boolean> {
  const { database, clock, logger, held, signal } = context
  const { triedMs = 0 } = archive
  if (archive.fault !== '' && clock.nowMs() < triedMs + RETRY_MS) return false
  if (isDeletingOf(await beginAfterDeletions(context, archive), archive)) return false
  try {
    const objects = await openPlace(archive, { ...context, ...deps })
    const checksum = policy.archiveChecksum === 'none' ? 'sha256' : policy.archiveChecksum
    const { objectBytes } = deps
    const { events } = await writeArchive(context, archive, { objects, checksum, objectBytes })
    logger.info('a day was archived', { archive: archive.number, policy: archive.policyId, events })
    // What older ones of a day have that did not leave the store yet is in this one, too; with
    // fewer events it is not known what became of the others.
    for (const older of await ofUnit(context, archive))
      if (isReplaced(older, archive.number, events))
        await changeArchive(database, older, { state: 'removing' }, held)
    return true
  } catch (error) {
    if (!isFailure(error) || signal.aborted) throw error
    logger.warn('a day was not archived', { archive: archive.number, code: error.code })
    const change = { state: 'asked', fault: error.message, triedMs: clock.nowMs() } as const
    await changeArchive(database, archive, { ...change, lastDeletion: undefined }, held)
    return false
  }
}

/** Deletions that come while it is `writing` name it, and nothing waits for them: whoever deletes
 *  all the time holds up no archive. Gives those that came before and are not done. */
async function beginAfterDeletions(
  { database, clock, held }: JobContext,
  archive: Archive,
): Promise<readonly Deletion[]> {
  const isNew = archive.state !== 'writing' || archive.lastDeletion === undefined
  if (isNew)
    await changeArchive(database, archive, { state: 'writing', triedMs: clock.nowMs() }, held)
  const open = await readOpenDeletions(database.read)
  const last = isNew ? (open.at(-1)?.number ?? 0) : archive.lastDeletion
  if (isNew) await changeArchive(database, archive, { lastDeletion: last }, held)
  return open.filter(({ number }) => number <= last)
}

/** Before a run deletes: then what was deleted before an archive was asked for is gone when it is
 *  written in the same run. */
export async function beginAsked(context: JobContext): Promise<void> {
  for (const archive of await readArchives(context.database.read)) {
    const isBegun = archive.state === 'asked' && archive.fault === '' && !archive.isForeign
    if (isBegun) await beginAfterDeletions(context, archive)
  }
}

/** Of another product: what its manifest says is what is known of it here. */
async function adopt(context: JobContext, deps: ArchiveDeps, archive: Archive): Promise<void> {
  const { database, clock, logger, held, signal } = context
  const { triedMs = 0 } = archive
  if (archive.fault !== '' && clock.nowMs() < triedMs + RETRY_MS) return
  try {
    const objects = await openPlace(archive, { ...context, ...deps })
    const manifest = await readManifest(objects, archive)
    const { events, bytes, digest, logs, writtenAt } = manifest
    const known = { events, bytes, places: digest.places, logs, writtenMs: Date.parse(writtenAt) }
    await changeArchive(database, archive, { state: 'done', ...known, fault: '' }, held)
    logger.info('an archive of another product was taken up', { archive: archive.number, events })
  } catch (error) {
    if (!isFailure(error) || signal.aborted) throw error
    await changeArchive(database, archive, { fault: error.message, triedMs: clock.nowMs() }, held)
  }
}

function isReplaced(older: Archive, number: number, events: number): boolean {
  return (
    older.state === 'done' &&
    older.number < number &&
    older.droppedMs === undefined &&
    older.events <= events
  )
}

/** Thaws that are asked for, cut off or over, and thawed days of which something is lost. */
export async function runThaws(context: JobContext, deps: ArchiveDeps): Promise<void> {
  const { database, store, clock, logger, held, signal } = context
  const thaws = await readThaws(database.read)
  const units = await readUnits(store, signal)
  const archives = thaws.length === 0 ? [] : await readArchives(database.read)
  const archiveOf = (thaw: Thaw) => archives.find(({ number }) => number === thaw.archive)
  for (const { policyId, day } of units) {
    // Of one whose archive is gone the day is not known any more.
    const isKnown = thaws.some(
      (thaw) => thawedUnit(thaw.number) === policyId && (archiveOf(thaw)?.day ?? day) === day,
    )
    if (isKnown || !isThawedUnit(policyId)) continue
    // Of a database that was put back: nobody would end it.
    await dropThawed(context, policyId, { day })
    logger.warn('a thawed day that nobody asked for left the store', { unit: policyId })
  }
  if (thaws.length === 0) return
  // What they take is counted when they are at their end.
  const deleting = (await readOpenDeletions(database.read)).filter(
    ({ state }) => state === 'entered',
  )
  for (const thaw of thaws) {
    signal.throwIfAborted()
    const archive = archiveOf(thaw)
    const unit = units.find(
      ({ policyId, day }) =>
        policyId === thawedUnit(thaw.number) && (archive === undefined || archive.day === day),
    )
    const nowMs = clock.nowMs()
    const isOver = thaw.state === 'ending' || nowMs >= thaw.untilMs
    if (archive === undefined || isOver) {
      const begin = { held, nowMs, isLost: archive === undefined }
      if (!(await beginThawEnd(database, thaw, begin))) continue
      await dropThawed(context, thawedUnit(thaw.number), archive ?? { day: unit?.day ?? 0 })
      await endThaw(database, thaw, held)
      logger.info('a thawed day left the store again', { thaw: thaw.number })
      continue
    }
    const isDeleting = deleting.some(({ logId }) => mayHave(archive, logId))
    const isWhole = (unit?.events ?? 0) === thaw.events || isDeleting
    if (thaw.state === 'thawed' && isWhole) continue
    await load(context, deps, { thaw, archive })
  }
}

/** Of another product, the log is known here by its path alone. */
function mayHave({ isForeign, logs }: Archive, logId: number): boolean {
  return isForeign || logs.some(({ id }) => id === logId)
}

async function load(
  context: JobContext,
  deps: ArchiveDeps,
  { thaw, archive }: { thaw: Thaw; archive: Archive },
): Promise<void> {
  const { database, clock, logger, held, signal } = context
  try {
    const objects = await openPlace(archive, { ...context, ...deps })
    const events = await loadArchive(context, { thaw, archive, objects })
    const shown = { archive: archive.number, day: archive.day, events }
    await showThaw(database, thaw, shown, { held, nowMs: clock.nowMs() })
    logger.info('an archived day is searchable', { archive: archive.number, events })
  } catch (error) {
    if (!isFailure(error) || signal.aborted) throw error
    logger.warn('an archived day was not thawed', { archive: archive.number, code: error.code })
    await changeThaw(database, thaw, { fault: error.message }, held)
  }
}

/** Checks that were asked for: every byte is read. */
export async function runChecks(context: JobContext, deps: ArchiveDeps): Promise<void> {
  const { database, clock, held, signal } = context
  for (const archive of await readArchives(database.read)) {
    if (archive.state !== 'done' || archive.checkAskedMs === undefined) continue
    let fault = ''
    try {
      const objects = await openPlace(archive, { ...context, ...deps })
      const manifest = await readManifest(objects, archive)
      for (const object of manifest.objects) {
        signal.throwIfAborted()
        await readChecked(objects, archive, object, manifest.checksum)
      }
    } catch (error) {
      if (!isFailure(error) || signal.aborted) throw error
      fault = error.message
    }
    const seen = fault === '' ? { verifiedMs: clock.nowMs() } : {}
    await changeArchive(database, archive, { ...seen, fault, checkAskedMs: undefined }, held)
  }
}

/** Archives whose days are over by archiveDays, and those that a command or a newer archive ended;
 *  never what a legal hold keeps, or what is thawed. `today`: days from 1970. */
export async function removeOver(
  context: JobContext,
  deps: ArchiveDeps,
  { policies, today }: { readonly policies: readonly KeptPolicy[]; readonly today: number },
): Promise<void> {
  const { database, clock, logger, held, signal } = context
  for (const archive of await readArchives(database.read)) {
    if (signal.aborted) return
    const nowMs = clock.nowMs()
    const policy = policies.find(({ id }) => id === archive.policyId)
    const isOver = policy !== undefined && isOverByAge(archive, policy, { nowMs, today })
    if (archive.state !== 'removing' && !isOver) continue
    if (archive.fault !== '' && nowMs < (archive.triedMs ?? 0) + RETRY_MS) continue
    if (!(await beginArchiveRemoval(database, archive, { held, nowMs, isOver }))) continue
    try {
      // Of another product: its objects are not ours.
      if (!archive.isForeign)
        await removeObjects(await openPlace(archive, { ...context, ...deps }), archive, signal)
      await forgetArchive(database, archive, held)
      logger.info('an archive was removed', { archive: archive.number })
    } catch (error) {
      if (!isFailure(error) || signal.aborted) throw error
      logger.warn('an archive was not removed', { archive: archive.number, code: error.code })
      const change = { fault: error.message, triedMs: clock.nowMs() }
      await changeArchive(database, archive, change, held)
    }
  }
}

function isOverByAge(
  archive: Archive,
  { policy, retainsSinceMs }: KeptPolicy,
  { nowMs, today }: { readonly nowMs: number; readonly today: number },
): boolean {
  const { archiveDays } = policy
  if (archive.isForeign || archive.state !== 'done' || archive.droppedMs === undefined) return false
  if (archiveDays === null || retainsSinceMs === undefined) return false
  if (nowMs < retainsSinceMs + RETENTION_GRACE_MS) return false
  return archive.day < today - archiveDays
}

function isOpen(state: Archive['state']): boolean {
  return state === 'asked' || state === 'writing'
}

async function ofUnit({ database }: JobContext, { policyId, day }: UnitPlace) {
  const all = await readArchives(database.read)
  return all.filter((one) => !one.isForeign && one.policyId === policyId && one.day === day)
}

async function digestUnit({ store, signal }: JobContext, unit: UnitPlace) {
  await store.catchUp('events')
  const [row] = await store.query<{ events: string; places: string }>({
    sql: `SELECT count() AS events, ${PLACES_DIGEST} AS places FROM events WHERE ${unitSql(unit)}`,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return { events: Number(row?.events ?? 0), places: row?.places ?? '' }
}
