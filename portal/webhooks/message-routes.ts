// What became of the messages of a webhook: listed with their attempts, sent again, tried out.
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import { EVENT_KINDS } from '../../schemas/portal/webhook-events.ts'
import {
  attempt,
  attemptsQuery,
  MESSAGE_STATES,
  message,
  messagesQuery,
  messageWithBody,
  replayed,
  replayedSince,
} from '../../schemas/portal/webhooks.ts'
import { requireActing } from '../access/caller.ts'
import type { PortalReader } from '../database/open.ts'
import type { WebhookEventRow, WebhookMessageRow, WebhookRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { putFor } from './put-event.ts'
import { findWebhook, timeOf } from './tell-webhook.ts'

const TAG = 'webhooks'
const PATH = '/webhooks/{webhookId}'
const MANAGERS = { roles: ['customer_admin'] } as const
const READERS = { roles: ['customer_admin', 'operator'], operator: true } as const

export function makeMessageRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve } = deps
  return [
    serve.write(
      {
        ...{ method: 'POST', path: `${PATH}/test`, tag: TAG, operationId: 'testWebhook' },
        summary: 'Send a message of the kind webhook.test',
        description: 'It takes the way of all messages; its attempts tell what came of it.',
        allows: MANAGERS,
        answers: { 202: { description: 'On its way.', schema: message } },
      },
      async ({ caller, path }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const row = await findWebhook(transaction, organizationId, path('webhookId'))
          requireEnabled(row)
          const data = { organizationId, webhookId: row.id }
          const id = await putFor(transaction, [row], { kind: 'webhook.test', data }, clock)
          const told = await findMessage(transaction, row.id, id)
          return { status: 202, target: id, body: tellMessage(told) }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: `${PATH}/messages`, tag: TAG },
        operationId: 'listWebhookMessages',
        summary: 'Messages of a webhook, kept for 30 days',
        allows: READERS,
        query: messagesQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(message) } },
      },
      async ({ caller, path, query, list }) => {
        const { cursor, limit, state } = query
        const webhook = await findWebhook(database.read, requireActing(caller), path('webhookId'))
        let rows = messagesOf(database.read, webhook.id)
          .orderBy('webhook_messages.event_id', 'desc')
          .limit(limit + 1)
        if (state !== undefined) rows = rows.where('webhook_messages.state', '=', state)
        if (cursor !== undefined)
          rows = rows.where('webhook_messages.event_id', '<', cursors.read(cursor, list))
        const page = cursors.page(await rows.execute(), {
          ...{ limit, list, keyOf: ({ event_id }) => event_id, tell: tellMessage },
        })
        return { body: page }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: `${PATH}/messages/{messageId}`, tag: TAG },
        operationId: 'readWebhookMessage',
        summary: 'One message with its body',
        allows: READERS,
        answers: { 200: { description: 'The message.', schema: messageWithBody } },
      },
      async ({ caller, path }) => {
        const webhook = await findWebhook(database.read, requireActing(caller), path('webhookId'))
        const row = await findMessage(database.read, webhook.id, path('messageId'))
        return { body: { message: tellMessage(row), body: row.body } }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: `${PATH}/attempts`, tag: TAG },
        operationId: 'listWebhookAttempts',
        summary: 'Attempts to deliver messages, kept for 30 days',
        allows: READERS,
        query: attemptsQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(attempt) } },
      },
      async ({ caller, path, query, list }) => {
        const { cursor, limit, messageId } = query
        const webhook = await findWebhook(database.read, requireActing(caller), path('webhookId'))
        let rows = database.read
          .selectFrom('webhook_attempts')
          .selectAll()
          .where('webhook_id', '=', webhook.id)
          .orderBy('id', 'desc')
          .limit(limit + 1)
        if (messageId !== undefined) rows = rows.where('event_id', '=', messageId)
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const page = cursors.page(await rows.execute(), {
          ...{ limit, list, keyOf: ({ id }) => id },
          tell: ({ id, event_id, at_ms, duration_ms, status, failure, answer }) => ({
            ...{ id, messageId: event_id, at: timeOf(at_ms), durationMs: duration_ms },
            ...{ status, failure, answer },
          }),
        })
        return { body: page }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: `${PATH}/messages/{messageId}/replay`, tag: TAG },
        operationId: 'replayWebhookMessage',
        summary: 'Send a message again, with the same id',
        description: 'One that is on its way goes on as it is.',
        allows: MANAGERS,
        answers: { 202: { description: 'On its way.', schema: message } },
      },
      async ({ caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const webhook = await findWebhook(transaction, organizationId, path('webhookId'))
          requireEnabled(webhook)
          const before = await findMessage(transaction, webhook.id, path('messageId'))
          await transaction
            .updateTable('webhook_messages')
            .set(startedAnew(nowMs))
            .where('webhook_id', '=', webhook.id)
            .where('event_id', '=', before.event_id)
            .where('state', '<>', 'pending')
            .execute()
          const row = await findMessage(transaction, webhook.id, before.event_id)
          return { status: 202, target: row.event_id, body: tellMessage(row) }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: `${PATH}/replay`, tag: TAG },
        operationId: 'replayWebhookMessages',
        summary: 'Send all messages again that failed or were skipped since a time',
        allows: MANAGERS,
        body: replayedSince,
        answers: { 202: { description: 'On their way.', schema: replayed } },
      },
      async ({ body, caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const webhook = await findWebhook(transaction, organizationId, path('webhookId'))
          requireEnabled(webhook)
          const done = await transaction
            .updateTable('webhook_messages')
            .set(startedAnew(nowMs))
            .where('webhook_id', '=', webhook.id)
            .where('state', 'in', ['failed', 'skipped'])
            .where('event_id', 'in', (eb) =>
              eb
                .selectFrom('webhook_events')
                .select('id')
                .where('organization_id', '=', organizationId)
                .where('created_ms', '>=', Date.parse(body.since)),
            )
            .executeTakeFirst()
          const count = Number(done.numUpdatedRows)
          return { status: 202, target: webhook.id, body: { count } }
        }
      },
    ),
  ]
}

function startedAnew(nowMs: number) {
  return { state: 'pending', tries: 0, started_ms: nowMs, next_ms: nowMs }
}

function messagesOf(db: PortalReader, webhookId: string) {
  return db
    .selectFrom('webhook_messages')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_messages.event_id')
    .selectAll('webhook_messages')
    .select(['webhook_events.kind', 'webhook_events.body', 'webhook_events.created_ms'])
    .where('webhook_messages.webhook_id', '=', webhookId)
}

async function findMessage(db: PortalReader, webhookId: string, id: string) {
  const found = messagesOf(db, webhookId).where('webhook_messages.event_id', '=', id)
  const row = await found.executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'message' })
  return row
}

function requireEnabled({ disabled_by }: WebhookRow): void {
  if (disabled_by !== null) throw new Failure('portal.webhook_disabled')
}

function tellMessage(row: WebhookMessageRow & Pick<WebhookEventRow, 'kind' | 'created_ms'>) {
  return {
    id: row.event_id,
    type: EVENT_KINDS.find((kind) => kind === row.kind),
    state: MESSAGE_STATES.find((state) => state === row.state),
    createdAt: timeOf(row.created_ms),
    tries: row.tries,
    nextAttemptAt: timeOf(row.next_ms),
  }
}
