// Rows of `archives`: days of a collection policy that were written away (docs/decisions/0108).
//   asked     somebody wants it, or a try failed (`fault`)
//   writing   objects may be there, a manifest that counts is not
//   done      whole and read back
//   removing  its objects are going; then the row goes
import { z } from 'zod'
import { type ArchivedLog, archivedLogSchema } from '../../../schemas/archive/manifest.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { ArchiveRow } from '../../database/rows/archive-rows.ts'
import { appendEvidence } from '../../evidence/append-evidence.ts'
import { takeIds } from '../counters.ts'

const STATES = ['asked', 'writing', 'done', 'removing'] as const
export type ArchiveState = (typeof STATES)[number]

export type ArchivePlace = {
  /** S3 account of the address book; '' for a folder. */
  readonly account: string
  /** Folder, or prefix in the bucket. */
  readonly directory: string
}

export type Archive = ArchivePlace & {
  readonly number: number
  readonly entry: string
  readonly policyId: number
  readonly policy: string
  readonly day: number
  readonly state: ArchiveState
  /** Of another product. */
  readonly isForeign: boolean
  readonly events: number
  readonly bytes: number
  readonly places: string
  readonly checksum: string
  readonly logs: readonly ArchivedLog[]
  readonly askedBy: string
  readonly askedMs: number
  readonly writtenMs: number | undefined
  readonly droppedMs: number | undefined
  readonly checkAskedMs: number | undefined
  readonly verifiedMs: number | undefined
  readonly triedMs: number | undefined
  readonly fault: string
  /** Deletions up to this one came before it was `writing`, and do not name it. */
  readonly lastDeletion: number | undefined
}

export type NewArchive = ArchivePlace &
  Pick<Archive, 'policyId' | 'policy' | 'day' | 'askedBy' | 'askedMs'>

/** `unique`: hexadecimal, so that products that share a place never share a name. */
export async function addArchive(
  transaction: DatabaseTransaction,
  given: NewArchive,
  unique: string,
): Promise<Archive> {
  const number = await takeIds(transaction, 'archive', 1)
  return await insert(transaction, {
    ...given,
    ...{ number, entry: `archive-${number}-${unique}`, state: 'asked' as const, isForeign: false },
    ...{ events: 0, bytes: 0, places: '', checksum: '', logs: [], fault: '' },
  })
}

/** Of another product: its manifest is to be read. Fails with object.exists. */
export async function adoptArchive(
  transaction: DatabaseTransaction,
  given: NewArchive & Pick<Archive, 'entry'>,
): Promise<Archive> {
  const { entry } = given
  const there = transaction.selectFrom('archives').select('number').where('entry', '=', entry)
  if ((await there.executeTakeFirst()) !== undefined)
    throw new Failure('object.exists', { kind: 'archive', name: entry })
  const number = await takeIds(transaction, 'archive', 1)
  return await insert(transaction, {
    ...given,
    ...{ number, state: 'asked' as const, isForeign: true },
    ...{ events: 0, bytes: 0, places: '', checksum: '', logs: [], fault: '' },
  })
}

type Inserted = Omit<
  Archive,
  'writtenMs' | 'droppedMs' | 'checkAskedMs' | 'verifiedMs' | 'triedMs' | 'lastDeletion'
>

async function insert(transaction: DatabaseTransaction, given: Inserted): Promise<Archive> {
  const row: ArchiveRow = {
    ...{ number: given.number, entry: given.entry, policy_id: given.policyId },
    ...{ policy: given.policy, day: given.day, account: given.account },
    ...{ directory: given.directory, state: given.state, is_foreign: given.isForeign ? 1 : 0 },
    ...{ events: given.events, bytes: given.bytes, places: given.places },
    ...{ checksum: given.checksum, logs: JSON.stringify(given.logs), asked_by: given.askedBy },
    ...{ asked_ms: given.askedMs, written_ms: null, dropped_ms: null, check_asked_ms: null },
    ...{ verified_ms: null, tried_ms: null, fault: given.fault, last_deletion: null },
  }
  await transaction.insertInto('archives').values(row).execute()
  return fromRow(row)
}

export type ArchiveChange = Partial<
  Pick<
    Archive,
    | 'state'
    | 'events'
    | 'bytes'
    | 'places'
    | 'checksum'
    | 'logs'
    | 'writtenMs'
    | 'verifiedMs'
    | 'droppedMs'
    | 'checkAskedMs'
    | 'triedMs'
    | 'fault'
    | 'lastDeletion'
  >
>

export async function changeArchive(
  database: Database,
  { number }: Pick<Archive, 'number'>,
  change: ArchiveChange,
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await writeChange(transaction, number, change)
  })
}

/** The archive is whole: the evidence tells it in the same transaction. */
export async function endArchive(
  database: Database,
  { number, policyId: policy, day }: Archive,
  change: ArchiveChange & { readonly writtenMs: number },
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await writeChange(transaction, number, { ...change, state: 'done' })
    const content = { units: [{ policy, day }], note: `archive ${number}` }
    await appendEvidence(transaction, 'archive', { content, atMs: change.writtenMs })
  })
}

export async function writeChange(
  transaction: DatabaseTransaction,
  number: number,
  change: ArchiveChange,
): Promise<void> {
  const names = {
    ...{ state: 'state', events: 'events', bytes: 'bytes', places: 'places' },
    ...{ checksum: 'checksum', writtenMs: 'written_ms', verifiedMs: 'verified_ms' },
    ...{ droppedMs: 'dropped_ms', checkAskedMs: 'check_asked_ms', fault: 'fault' },
    ...{ triedMs: 'tried_ms', lastDeletion: 'last_deletion' },
  } as const
  const { logs, ...plain } = change
  const set = Object.fromEntries(
    Object.entries(names).flatMap(([ours, theirs]) => {
      const value: unknown = Reflect.get(plain, ours)
      return Object.hasOwn(plain, ours) ? [[theirs, value ?? null]] : []
    }),
  )
  const all = { ...set, ...(logs === undefined ? {} : { logs: JSON.stringify(logs) }) }
  if (Object.keys(all).length === 0) return
  await transaction.updateTable('archives').set(all).where('number', '=', number).execute()
}

/** Fails with object.not_found, and with archive.not_whole where it is not written yet. */
export async function askForCheck(
  transaction: DatabaseTransaction,
  number: number,
  nowMs: number,
): Promise<Archive> {
  const archive = await requireArchive(transaction, number)
  if (archive.state !== 'done') throw new Failure('archive.not_whole', { number })
  await writeChange(transaction, number, { checkAskedMs: nowMs, fault: '' })
  return archive
}

/** Its objects go in the next run. Fails as requireArchive. */
export async function askForRemoval(
  transaction: DatabaseTransaction,
  number: number,
): Promise<Archive> {
  const archive = await requireArchive(transaction, number)
  const isGoing = archive.state === 'removing'
  // Without `triedMs` it has not begun: a legal hold may take it back (archive-removal.ts).
  const begun = { state: 'removing', triedMs: undefined, fault: '' } as const
  await writeChange(transaction, number, isGoing ? { fault: '' } : begun)
  return archive
}

/** Its objects are gone, or are another product's. */
export async function forgetArchive(
  database: Database,
  { number }: Pick<Archive, 'number'>,
  held: Fence,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction.deleteFrom('archives').where('number', '=', number).execute()
  })
}

/** Newest first. */
export async function readArchives(db: Database['read']): Promise<readonly Archive[]> {
  const rows = await db.selectFrom('archives').selectAll().orderBy('number', 'desc').execute()
  return rows.map(fromRow)
}

/** Fails with object.not_found. */
export async function requireArchive(db: Database['read'], number: number): Promise<Archive> {
  const found = await findArchive(db, number)
  if (found !== undefined) return found
  throw new Failure('object.not_found', { kind: 'archive', name: number })
}

export async function findArchive(
  db: Database['read'],
  number: number,
): Promise<Archive | undefined> {
  const all = db.selectFrom('archives').selectAll().where('number', '=', number)
  const row = await all.executeTakeFirst()
  return row && fromRow(row)
}

function fromRow(row: ArchiveRow): Archive {
  const state = STATES.find((it) => it === row.state)
  if (state === undefined) throw new Error(`an archive of an unknown state: ${row.state}`)
  const moment = (ms: number | null) => (ms === null ? undefined : Number(ms))
  const parsed: unknown = JSON.parse(row.logs)
  return {
    ...{ number: Number(row.number), entry: row.entry, policyId: Number(row.policy_id) },
    ...{ policy: row.policy, day: Number(row.day), account: row.account },
    ...{ directory: row.directory, state, isForeign: Number(row.is_foreign) === 1 },
    ...{ events: Number(row.events), bytes: Number(row.bytes), places: row.places },
    ...{ checksum: row.checksum, logs: z.array(archivedLogSchema).parse(parsed) },
    ...{ askedBy: row.asked_by, askedMs: Number(row.asked_ms), fault: row.fault },
    ...{ writtenMs: moment(row.written_ms), droppedMs: moment(row.dropped_ms) },
    ...{ checkAskedMs: moment(row.check_asked_ms), verifiedMs: moment(row.verified_ms) },
    ...{ triedMs: moment(row.tried_ms), lastDeletion: moment(row.last_deletion) },
  }
}
