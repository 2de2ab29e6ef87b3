// How far each file of each log is read. What goes to the event log next is noted before it goes
// there (`pending`), and the position moves after it: what a crash cuts off between is sent again
// as the same request, and the writer drops the later one (docs/decisions/0094).
import { z } from 'zod'
import { Failure } from '../../../schemas/failures.ts'
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { CollectedFileRow } from '../../database/rows/task-row.ts'
import { takeIds } from '../counters.ts'

const pendingSchema = z.strictObject({
  /** Position when it is stored. */
  to: z.number().int(),
  /** Of the source: what its events met. */
  version: z.number().int(),
  receivedMs: z.number().int(),
  partition: z.number().int(),
  /** Among those of its round. */
  number: z.number().int(),
  /** SHA-256 of the bytes of the file. */
  hash: z.string(),
  events: z.number().int(),
})

type PendingPiece = Readonly<z.infer<typeof pendingSchema>>

export type FileState = 'open' | 'done' | 'skipped'

/** Changed by its collector alone; `saveFiles` writes it. */
export type CollectedFile = {
  /** 0 until it is kept. */
  id: number
  readonly logId: number
  path: string
  place: string
  position: number
  headBytes: number
  headHash: string
  tailBytes: number
  tailHash: string
  /** Hashes of what stands before 64, 128, 256, … bytes, 12 characters each. */
  marks: string
  isPacked: boolean
  state: FileState
  fault: string
  pending: PendingPiece | undefined
  size: number
  events: number
  changedMs: number
}

type Deps = { readonly database: Database; readonly held: Fence }

/** Those that are new get their numbers here. */
export async function takeFileIds({ database, held }: Deps, count: number): Promise<number> {
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    return await takeIds(transaction, 'collectedFile', count)
  })
}

export async function readFiles(
  db: Pick<DatabaseTransaction, 'selectFrom'>,
  logId: number,
): Promise<CollectedFile[]> {
  const all = db.selectFrom('collected_files').selectAll().where('log_id', '=', logId)
  return (await all.orderBy('id').execute()).map(fromRow)
}

/** In one transaction; fails with database.lease_lost. */
export async function saveFiles(
  { database, held }: Deps,
  files: Iterable<CollectedFile>,
  nowMs: number,
): Promise<void> {
  const rows = [...files].map((file) => toRow(file, nowMs))
  if (rows.length === 0) return
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    for (const row of rows) {
      const { id, ...changed } = row
      await transaction
        .insertInto('collected_files')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
        .execute()
    }
  })
}

/** Of files that are gone for long. */
export async function forgetFiles({ database, held }: Deps, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction.deleteFrom('collected_files').where('id', 'in', ids).execute()
  })
}

function toRow(file: CollectedFile, nowMs: number): CollectedFileRow {
  return {
    ...{ id: file.id, log_id: file.logId, path: file.path, place: file.place },
    ...{ position: file.position, head_bytes: file.headBytes, head_hash: file.headHash },
    ...{ tail_bytes: file.tailBytes, tail_hash: file.tailHash, state: file.state },
    marks: file.marks,
    is_packed: file.isPacked ? 1 : 0,
    ...{ fault: file.fault, size: file.size, events: file.events, changed_ms: nowMs },
    pending: file.pending === undefined ? null : JSON.stringify(file.pending),
  }
}

function fromRow(row: CollectedFileRow): CollectedFile {
  try {
    const { pending } = row
    return {
      ...{ id: row.id, logId: row.log_id, path: row.path, place: row.place },
      ...{ position: Number(row.position), headBytes: row.head_bytes, headHash: row.head_hash },
      ...{ tailBytes: row.tail_bytes, tailHash: row.tail_hash, state: row.state },
      ...{ marks: row.marks, isPacked: row.is_packed === 1 },
      ...{ fault: row.fault, size: Number(row.size), events: Number(row.events) },
      changedMs: Number(row.changed_ms),
      pending: pending === null ? undefined : pendingSchema.parse(JSON.parse(pending)),
    }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
