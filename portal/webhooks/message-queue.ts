// Messages as rows: one process claims a message for a while, tries it, and notes what came of it.
// A process that is killed in between leaves the claim, which ends: the message goes out again,
// with the same id.
import type { Clock } from '../../infra/clock.ts'
import { newId } from '../access/ids.ts'
import type { PortalTransaction } from '../database/open.ts'
import type { WebhookRow } from '../database/tables.ts'
import { insertAudit } from '../edge/audit.ts'
import type { Outgoing, Tried } from './send-message.ts'

/** For which one process has a message to itself; longer than an attempt may take. */
const CLAIM_MS = 60_000
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
/** Before the second attempt, the third, and so on: about three days. */
const PAUSES_MS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
  ...[14 * HOUR, 20 * HOUR, 24 * HOUR],
]
const LONGEST_WAIT_MS = 24 * HOUR

export type Claimed = Outgoing & { readonly claimMs: number }

/** Undefined: none is due. `busy`: webhooks that have enough on their way. */
export async function claimMessage(
  transaction: PortalTransaction,
  busy: readonly string[],
  nowMs: number,
): Promise<Claimed | undefined> {
  let due = transaction
    .selectFrom('webhook_messages')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_messages.webhook_id')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_messages.event_id')
    .select(['webhook_messages.event_id', 'webhook_events.body', 'webhooks.id'])
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.old_secrets'])
    .where('webhook_messages.next_ms', '<=', nowMs)
    .where('webhooks.disabled_by', 'is', null)
    .orderBy('webhook_messages.next_ms')
    .orderBy('webhook_messages.event_id')
    .limit(1)
  if (busy.length > 0) due = due.where('webhooks.id', 'not in', busy)
  const row = await due.executeTakeFirst()
  if (row === undefined) return undefined
  const { event_id, body, ...webhook } = row
  const claimMs = nowMs + CLAIM_MS
  await transaction
    .updateTable('webhook_messages')
    .set({ next_ms: claimMs })
    .where('webhook_id', '=', webhook.id)
    .where('event_id', '=', event_id)
    .execute()
  return { id: event_id, body, webhook, claimMs }
}

/** Free again for every process. */
export async function releaseMessage(
  transaction: PortalTransaction,
  { id, webhook, claimMs }: Claimed,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('webhook_messages')
    .set({ next_ms: nowMs })
    .where('webhook_id', '=', webhook.id)
    .where('event_id', '=', id)
    .where('next_ms', '=', claimMs)
    .execute()
}

export async function noteAttempt(
  transaction: PortalTransaction,
  { id, webhook, claimMs }: Claimed,
  { waitMs, ...tried }: Tried,
  clock: Clock,
): Promise<void> {
  const nowMs = clock.nowMs()
  const row = await transaction
    .selectFrom('webhook_messages')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_messages.webhook_id')
    .selectAll('webhook_messages')
    .select(['webhooks.delivered_ms', 'webhooks.organization_id'])
    .where('webhook_messages.webhook_id', '=', webhook.id)
    .where('webhook_messages.event_id', '=', id)
    .executeTakeFirst()
  // It was removed meanwhile.
  if (row === undefined) return
  const { atMs: at_ms, durationMs: duration_ms, status, failure, answer } = tried
  await transaction
    .insertInto('webhook_attempts')
    .values({
      ...{ id: newId('wat', clock), webhook_id: webhook.id, event_id: id },
      ...{ at_ms, duration_ms, status, failure, answer },
    })
    .execute()
  const set = async (to: { state: string; tries: number; next_ms: number | null }) => {
    const update = transaction.updateTable('webhook_messages').set(to)
    await update.where('webhook_id', '=', webhook.id).where('event_id', '=', id).execute()
  }
  const tries = row.tries + 1
  if (failure === null) {
    await set({ state: 'delivered', tries, next_ms: null })
    const taken = transaction.updateTable('webhooks').set({ delivered_ms: nowMs })
    await taken.where('id', '=', webhook.id).execute()
    return
  }
  if (status === 410) {
    await set({ state: 'failed', tries, next_ms: null })
    await disableWebhook(transaction, { ...webhook, ...row, by: 'gone' }, clock)
    return
  }
  // The claim has ended, and another process or a replay has the message.
  if (row.next_ms !== claimMs) return
  const pauseMs = PAUSES_MS[row.tries]
  if (pauseMs !== undefined) {
    const asked = Math.min(waitMs, LONGEST_WAIT_MS)
    const next_ms = nowMs + Math.max(jitter(pauseMs, clock), asked)
    await set({ state: 'pending', tries, next_ms })
    return
  }
  await set({ state: 'failed', tries, next_ms: null })
  // Not one was taken in the days in which this one was tried.
  if ((row.delivered_ms ?? 0) < row.started_ms)
    await disableWebhook(transaction, { ...webhook, ...row, by: 'failing' }, clock)
}

/** What waits is skipped, and may be replayed. */
export async function skipWaiting(transaction: PortalTransaction, webhookId: string) {
  await transaction
    .updateTable('webhook_messages')
    .set({ state: 'skipped', next_ms: null })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .execute()
}

async function disableWebhook(
  transaction: PortalTransaction,
  of: Pick<WebhookRow, 'id' | 'organization_id'> & { readonly by: 'gone' | 'failing' },
  clock: Clock,
): Promise<void> {
  const nowMs = clock.nowMs()
  const disabled = await transaction
    .updateTable('webhooks')
    .set({ disabled_by: of.by, disabled_ms: nowMs })
    .where('id', '=', of.id)
    .where('disabled_by', 'is', null)
    .executeTakeFirst()
  if (Number(disabled.numUpdatedRows) === 0) return
  await skipWaiting(transaction, of.id)
  await insertAudit(transaction, {
    ...{ id: newId('aud', clock), at_ms: nowMs, caller: 'portal' },
    ...{ organization_id: of.organization_id, action: 'disableWebhook', target: of.id },
    ...{ result: of.by, request_id: '', address: '' },
  })
}

/** A tenth more or less, so that many do not come back at one moment. */
function jitter(pauseMs: number, clock: Clock): number {
  const share = clock.randomBytes(2).readUInt16BE() / 65_535
  return Math.round(pauseMs * (0.9 + 0.2 * share))
}
