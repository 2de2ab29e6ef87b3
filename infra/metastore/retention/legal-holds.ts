// Legal holds: events of a log, of a folder or of a collection policy, within a span of their
// times, that neither retention nor a deletion may end (docs/decisions/0084).
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { LegalHoldRow } from '../../database/rows/retention-rows.ts'
import { keepArchives } from '../archive/archive-removal.ts'
import { takeIds } from '../counters.ts'
import { requirePolicy } from '../policies/collection-policies.ts'
import { requireFolder, requireLog } from '../tree/find-node.ts'

export type HoldTarget =
  | { readonly kind: 'log' | 'folder'; readonly levels: readonly string[] }
  | { readonly kind: 'policy'; readonly name: string }

export type HoldSpan = {
  /** Times of events, from (with it) and to (without it); undefined: no end. */
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
}

export type LegalHold = HoldSpan & {
  readonly number: number
  readonly kind: HoldTarget['kind']
  /** Path or name, for people. */
  readonly target: string
  /** Id of the log, folder or policy. */
  readonly id: number
  readonly reason: string
  readonly madeBy: string
  readonly madeMs: number
}

/** Which events a hold keeps: of these logs, or of the policy. */
export type HeldEvents = HoldSpan & {
  readonly hold: number
  readonly policyId: number | undefined
  readonly logIds: readonly number[] | undefined
}

/** Fails with object.not_found, and with retention.busy while something is being removed: after
 *  this nothing of it goes. An archive of it whose removal was only asked for stays. */
export async function addHold(
  transaction: DatabaseTransaction,
  hold: HoldSpan & {
    readonly target: HoldTarget
    readonly reason: string
    readonly madeBy: string
    readonly nowMs: number
  },
): Promise<LegalHold> {
  const { target, fromMs = null, toMs = null, reason, madeBy, nowMs } = hold
  const id = await idOf(transaction, target)
  const busy = transaction.selectFrom('unit_removals').select('number').where('state', '=', 'open')
  if ((await busy.executeTakeFirst()) !== undefined) throw new Failure('retention.busy')
  const deleting = transaction.selectFrom('deletions').select('number')
  const isDeleting = deleting.where('state', 'in', ['hidden', 'entered'])
  if ((await isDeleting.executeTakeFirst()) !== undefined) throw new Failure('retention.busy')
  const row: LegalHoldRow = {
    number: await takeIds(transaction, 'legalHold', 1),
    kind: target.kind,
    target: target.kind === 'policy' ? target.name : target.levels.join(LEVEL_SEPARATOR),
    target_id: id,
    from_ms: fromMs,
    to_ms: toMs,
    reason,
    made_by: madeBy,
    made_ms: nowMs,
  }
  await transaction.insertInto('legal_holds').values(row).execute()
  const added = (await readHeldEvents(transaction)).find((one) => one.hold === row.number)
  if (added !== undefined && (await keepArchives(transaction, added)))
    throw new Failure('retention.busy')
  return fromRow(row)
}

/** Fails with object.not_found. */
export async function removeHold(
  transaction: DatabaseTransaction,
  number: number,
): Promise<LegalHold> {
  const all = transaction.selectFrom('legal_holds').selectAll()
  const row = await all.where('number', '=', number).executeTakeFirst()
  if (row === undefined) throw new Failure('object.not_found', { kind: 'hold', name: number })
  await transaction.deleteFrom('legal_holds').where('number', '=', number).execute()
  return fromRow(row)
}

export async function readHolds(db: Database['read']): Promise<readonly LegalHold[]> {
  const rows = await db.selectFrom('legal_holds').selectAll().orderBy('number').execute()
  return rows.map(fromRow)
}

/** With the logs of now, also those that were removed from the tree: their events are there. */
export async function readHeldEvents(db: Database['read']): Promise<readonly HeldEvents[]> {
  const holds = await readHolds(db)
  if (holds.length === 0) return []
  const below = holds.some(({ kind }) => kind === 'folder') ? await readFolders(db) : undefined
  return holds.map(({ number, kind, id, fromMs, toMs }) => ({
    hold: number,
    policyId: kind === 'policy' ? id : undefined,
    logIds: kind === 'policy' ? undefined : kind === 'log' ? [id] : (below?.(id) ?? []),
    fromMs,
    toMs,
  }))
}

/** The logs in a folder and below it. */
async function readFolders(db: Database['read']): Promise<(folderId: number) => number[]> {
  const folders = await db.selectFrom('folders').select(['id', 'parent_id']).execute()
  const logs = await db.selectFrom('logs').select(['id', 'folder_id']).execute()
  const parents = new Map(folders.map(({ id, parent_id }) => [id, parent_id]))
  const isBelow = (start: number, folderId: number) => {
    let at: number | null | undefined = start
    // No path is longer than there are folders.
    for (let i = 0; i <= folders.length && at !== null && at !== undefined; i += 1) {
      if (at === folderId) return true
      at = parents.get(at)
    }
    return false
  }
  return (folderId) => {
    const inside = new Set(folders.filter(({ id }) => isBelow(id, folderId)).map(({ id }) => id))
    return logs.filter((log) => inside.has(log.folder_id)).map(({ id }) => Number(id))
  }
}

async function idOf(transaction: DatabaseTransaction, target: HoldTarget): Promise<number> {
  switch (target.kind) {
    case 'log':
      return (await requireLog(transaction, target.levels)).id
    case 'folder':
      return await requireFolder(transaction, target.levels)
    case 'policy':
      return (await requirePolicy(transaction, target.name)).id
  }
}

function fromRow(row: LegalHoldRow): LegalHold {
  const kind = row.kind === 'log' || row.kind === 'folder' ? row.kind : 'policy'
  return {
    number: Number(row.number),
    kind,
    target: row.target,
    id: Number(row.target_id),
    fromMs: row.from_ms === null ? undefined : Number(row.from_ms),
    toMs: row.to_ms === null ? undefined : Number(row.to_ms),
    reason: row.reason,
    madeBy: row.made_by,
    madeMs: Number(row.made_ms),
  }
}
