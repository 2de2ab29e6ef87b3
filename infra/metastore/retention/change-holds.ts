// Legal holds made and removed.
import { Failure } from '../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { LegalHoldRow } from '../../database/rows/retention-rows.ts'
import { keepArchives } from '../archive/archive-removal.ts'
import { takeIds } from '../counters.ts'
import { requirePolicy } from '../policies/collection-policies.ts'
import { requireFolder, requireLog } from '../tree/find-node.ts'
import {
  type HoldSpan,
  type HoldTarget,
  holdOf,
  type LegalHold,
  readHeldEvents,
} from './legal-holds.ts'

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
  return holdOf(row)
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
  return holdOf(row)
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
