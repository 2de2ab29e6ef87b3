// Events on their way to the webhooks of an organization: put into the database by the transaction
// of their cause, so that none is told of what did not happen and none is lost by a kill.
import type { Clock } from '../../infra/clock.ts'
import {
  WEBHOOK_EVENTS,
  type WebhookEventData,
  type WebhookEventKind,
} from '../../schemas/portal/webhook-events.ts'
import { newId } from '../access/ids.ts'
import type { PortalTransaction } from '../database/open.ts'
import type { WebhookRow } from '../database/tables.ts'
import { readKinds } from './tell-webhook.ts'

export type Event<Kind extends WebhookEventKind> = {
  readonly kind: Kind
  readonly data: WebhookEventData<Kind>
}

/** To every webhook of `data.organizationId` that takes this kind. One that is disabled keeps it as
 *  skipped; where there is none, nothing is kept. */
export async function putEvent<Kind extends WebhookEventKind>(
  transaction: PortalTransaction,
  event: Event<Kind>,
  clock: Clock,
): Promise<void> {
  const { kind, data } = event
  const webhooks = await transaction
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', data.organizationId)
    .execute()
  const takers = webhooks.filter((row) => readKinds(row.events).includes(kind))
  if (takers.length > 0) await putFor(transaction, takers, event, clock)
}

/** To these. Resolves with the id of the message. */
export async function putFor<Kind extends WebhookEventKind>(
  transaction: PortalTransaction,
  webhooks: readonly Pick<WebhookRow, 'id' | 'disabled_by'>[],
  { kind, data }: Event<Kind>,
  clock: Clock,
): Promise<string> {
  const id = newId('msg', clock)
  const nowMs = clock.nowMs()
  const body = {
    ...{ type: kind, timestamp: new Date(nowMs).toISOString() },
    data: WEBHOOK_EVENTS[kind].data.parse(data),
  }
  const organization_id = data.organizationId
  await transaction
    .insertInto('webhook_events')
    .values({ id, organization_id, kind, body: JSON.stringify(body), created_ms: nowMs })
    .execute()
  await transaction
    .insertInto('webhook_messages')
    .values(
      webhooks.map(({ id: webhook_id, disabled_by }) => ({
        ...{ webhook_id, event_id: id, tries: 0, started_ms: nowMs },
        ...(disabled_by === null
          ? { state: 'pending', next_ms: nowMs }
          : { state: 'skipped', next_ms: null }),
      })),
    )
    .execute()
  return id
}

/** True for the first who says so; for events that follow from time alone. */
export async function tellOnce(
  transaction: PortalTransaction,
  key: string,
  nowMs: number,
): Promise<boolean> {
  const added = await transaction
    .insertInto('told_events')
    .values({ key, at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(added.numInsertedOrUpdatedRows) > 0
}
