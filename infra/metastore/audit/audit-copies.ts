// Which entries of the audit log were copied into the event log (docs/decisions/0046). A copy is
// begun before its entries go there, and done when they are durable. Between the two a crash leaves
// it begun: it is made once more, with the same entries, number and time.
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database } from '../../database/port.ts'
import type { AuditRow } from '../../database/rows/access-tables.ts'

const MAX_ENTRIES = 500
/** Of their texts. In the event log they may take six times as much. */
const MAX_CHARACTERS = 256 * 1024
/** For a backup, which begins those of the last minutes again (sqlite-copy.ts). */
const DONE_KEPT_MS = 3_600_000

export type AuditCopy = {
  /** 1, 2, 3 … */
  readonly number: number
  readonly begunMs: number
  /** By rising id, at least one unless a begun copy has lost its entries. */
  readonly entries: readonly AuditRow[]
}

type CopyDeps = { readonly database: Database; readonly held: Fence }

/** The copy that is begun, or a new one of the entries that come next; undefined: all are copied.
 *  Fails with database.lease_lost. */
export async function beginAuditCopy(
  { database, held }: CopyDeps,
  nowMs: number,
): Promise<AuditCopy | undefined> {
  const begun = await database.read
    .selectFrom('audit_copies')
    .selectAll()
    .where('is_done', '=', 0)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  if (begun !== undefined) {
    const range = { firstId: Number(begun.first_id), lastId: Number(begun.last_id) }
    const entries = await readEntries(database, range)
    return { number: Number(begun.number), begunMs: Number(begun.begun_ms), entries }
  }
  const last = await readLast(database.read)
  const entries = firstOf(
    await readEntries(database, { firstId: last.id + 1, lastId: Number.MAX_SAFE_INTEGER }),
  )
  const [first] = entries
  const final = entries.at(-1)
  if (first === undefined || final === undefined) return undefined
  const number = last.number + 1
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const row = { number, first_id: Number(first.id), last_id: Number(final.id), begun_ms: nowMs }
    await transaction
      .insertInto('audit_copies')
      .values({ ...row, is_done: 0 })
      .execute()
    await transaction
      .deleteFrom('audit_copies')
      .where('is_done', '=', 1)
      .where('begun_ms', '<', nowMs - DONE_KEPT_MS)
      .where('number', '<', last.number)
      .execute()
  })
  return { number, begunMs: nowMs, entries }
}

/** Fails with database.lease_lost. */
export async function endAuditCopy({ database, held }: CopyDeps, number: number): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('audit_copies')
      .set({ is_done: 1 })
      .where('number', '=', number)
      .execute()
  })
}

/** Entries below this id are copied, whatever happens. */
export async function firstUncopied(db: Database['read']): Promise<number> {
  const begun = await db
    .selectFrom('audit_copies')
    .select('first_id')
    .where('is_done', '=', 0)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return begun === undefined ? (await readLast(db)).id + 1 : Number(begun.first_id)
}

async function readLast(db: Database['read']): Promise<{ number: number; id: number }> {
  const row = await db
    .selectFrom('audit_copies')
    .select(['number', 'last_id'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { number: Number(row?.number ?? 0), id: Number(row?.last_id ?? 0) }
}

/** Ids are given in the order of commits, so that none appears later below one that is there. */
async function readEntries(
  { read }: Pick<Database, 'read'>,
  { firstId, lastId }: { readonly firstId: number; readonly lastId: number },
): Promise<AuditRow[]> {
  return await read
    .selectFrom('audit')
    .selectAll()
    .where('id', '>=', firstId)
    .where('id', '<=', lastId)
    .orderBy('id')
    .limit(MAX_ENTRIES)
    .execute()
}

function firstOf(rows: readonly AuditRow[]): AuditRow[] {
  let characters = 0
  return rows.filter((row, at) => {
    characters += row.user_name.length + row.target.length + row.details.length
    return at === 0 || characters <= MAX_CHARACTERS
  })
}
