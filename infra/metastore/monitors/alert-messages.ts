// What is told of alerts: a message for each target, made in the transaction that changes the
// alert. An attempt is recorded before it is made: a crash in between leaves one of
// which nobody knows the end, and the message is tried again when the claim has ended. So none is
// forgotten, and one crash repeats one attempt at most (docs/decisions/0092).
import { type Fence, requireFence } from '../../database/lease.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { AlertMessageRow } from '../../database/rows/monitor-tables.ts'
import { takeIds } from '../counters.ts'
import { GATHERED } from './gathered-messages.ts'

/** Longer than an attempt may take. */
const CLAIM_MS = 90_000
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
/** Before the second attempt, the third, and so on: about a day. */
const PAUSES_MS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR],
]
const MAX_ANSWER_CHARACTERS = 300

export type NewMessage = Pick<
  AlertMessageRow,
  'alert_id' | 'monitor_id' | 'event' | 'target_id' | 'target_name' | 'notice'
> & {
  /** It waits to be told together with others. */
  readonly isGathered: boolean
}

export type ClaimedMessage = AlertMessageRow & { readonly number: number }

export type AttemptEnd = {
  /** Of HTTP or SMTP; null: none came. */
  readonly status: number | null
  /** Null: it was taken. */
  readonly failure: string | null
  /** The target will not take it later either. */
  readonly isFinal: boolean
}

type Deps = { readonly database: Database; readonly held: Fence }

export async function addMessages(
  transaction: DatabaseTransaction,
  messages: readonly NewMessage[],
  nowMs: number,
): Promise<void> {
  if (messages.length === 0) return
  const firstId = await takeIds(transaction, 'alertMessage', messages.length)
  const rows = messages.map(({ isGathered, ...message }, at) => ({
    ...message,
    ...{ id: firstId + at, made_ms: nowMs, tries: 0, digest_id: null },
    ...(isGathered ? { state: GATHERED, next_ms: null } : { state: 'pending', next_ms: nowMs }),
  }))
  await transaction.insertInto('alert_messages').values(rows).execute()
}

/** The message that is due first, with the attempt recorded. Undefined: none is due. Fails with
 *  database.lease_lost. */
export async function claimMessage(
  { database, held }: Deps,
  nowMs: number,
): Promise<ClaimedMessage | undefined> {
  const due = await database.read
    .selectFrom('alert_messages')
    .select('id')
    .where('state', '=', 'pending')
    .where('next_ms', '<=', nowMs)
    .orderBy('next_ms')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (due === undefined) return undefined
  return await database.write(async (transaction) => {
    await requireFence(transaction, held)
    const row = await transaction
      .selectFrom('alert_messages')
      .selectAll()
      .where('id', '=', due.id)
      .executeTakeFirst()
    if (row?.state !== 'pending' || Number(row.next_ms) > nowMs) return undefined
    const number = Number(row.tries) + 1
    await transaction
      .updateTable('alert_messages')
      .set({ tries: number, next_ms: nowMs + CLAIM_MS })
      .where('id', '=', row.id)
      .execute()
    await transaction
      .insertInto('alert_attempts')
      .values({
        ...{ message_id: row.id, number, at_ms: nowMs },
        ...{ ended_ms: null, status: null, failure: null },
      })
      .execute()
    return { ...row, number }
  })
}

/** Fails with database.lease_lost. */
export async function noteAttempt(
  { database, held }: Deps,
  { id, number }: Pick<ClaimedMessage, 'id' | 'number'>,
  { status, failure, isFinal }: AttemptEnd,
  nowMs: number,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .updateTable('alert_attempts')
      .set({
        ...{ ended_ms: nowMs, status },
        failure: failure === null ? null : failure.slice(0, MAX_ANSWER_CHARACTERS),
      })
      .where('message_id', '=', id)
      .where('number', '=', number)
      .execute()
    const pauseMs = PAUSES_MS[number - 1]
    const isOver = failure === null || isFinal || pauseMs === undefined
    await transaction
      .updateTable('alert_messages')
      .set({
        state: failure === null ? 'delivered' : isOver ? 'failed' : 'pending',
        next_ms: isOver ? null : nowMs + (pauseMs ?? 0),
      })
      .where('id', '=', id)
      // Another process may have it by now.
      .where('tries', '=', number)
      .execute()
  })
}
