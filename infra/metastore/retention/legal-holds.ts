// Legal holds: events of a log, of a folder or of a collection policy, within a span of their
// times, that neither retention nor a deletion may end (docs/decisions/0084).
import type { Database } from '../../database/port.ts'
import type { LegalHoldRow } from '../../database/rows/retention-rows.ts'

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

export async function readHolds(db: Database['read']): Promise<readonly LegalHold[]> {
  const rows = await db.selectFrom('legal_holds').selectAll().orderBy('number').execute()
  return rows.map(holdOf)
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

export function holdOf(row: LegalHoldRow): LegalHold {
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
