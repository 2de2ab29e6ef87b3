// Objects that belong to no attachment: of uploads whose process was killed before its row was
// written, and of attachments whose object could not be deleted behind their row.
import type { Clock } from '../../../infra/clock.ts'
import type { ObjectStore } from '../../../infra/objects/port.ts'
import type { PortalDatabase } from '../../database/open.ts'
import { OBJECT_PREFIX } from './keep-attachments.ts'

/** A younger one may still get its row. */
const ORPHAN_MS = 24 * 3_600_000
const PAGE = 500
/** Far beyond what is there: a loop with an end. */
const MAX_PAGES = 100_000

/** Resolves with the number of objects that are gone. */
export async function cleanAttachments(
  deps: {
    readonly database: PortalDatabase
    readonly objects: ObjectStore
    readonly clock: Pick<Clock, 'nowMs'>
  },
  signal: AbortSignal,
): Promise<number> {
  const { database, objects, clock } = deps
  const bornBefore = clock.nowMs() - ORPHAN_MS
  let gone = 0
  let after: string | undefined
  for (let pages = 0; pages < MAX_PAGES && !signal.aborted; pages += 1) {
    const page = await objects.list(OBJECT_PREFIX, { limit: PAGE, ...(after ? { after } : {}) })
    if (page.length === 0) break
    const old = page.filter(({ modifiedMs }) => modifiedMs < bornBefore).map(({ key }) => key)
    const rows = await database.read
      .selectFrom('offer_attachments')
      .select('object_key')
      .where('object_key', 'in', old.length === 0 ? [''] : old)
      .execute()
    const known = new Set(rows.map((row) => row.object_key))
    for (const key of old.filter((it) => !known.has(it))) {
      await objects.delete(key)
      gone += 1
    }
    after = page.at(-1)?.key
  }
  return gone
}
