// Webhooks of an organization: made, changed, removed by its administrators; the secret is shown
// when it is made.
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { pageOf, pageQuery } from '../../schemas/portal/common.ts'
import {
  changedWebhook,
  newWebhook,
  rotatedSecret,
  webhook,
  webhookWithSecret,
} from '../../schemas/portal/webhooks.ts'
import { personOf, requireActing } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalReader } from '../database/open.ts'
import type { WebhookRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { skipWaiting } from './message-queue.ts'
import { makeWebhookSecret, readOldSecrets, sealWebhookSecret } from './secrets.ts'
import { readTarget, type WebhookTargets } from './target.ts'
import { findWebhook, tellWebhook } from './tell-webhook.ts'

const TAG = 'webhooks'
const PATH = '/webhooks'
const MANAGERS = { roles: ['customer_admin'] } as const
/** The vendor helps to find out why nothing comes. */
const READERS = { roles: ['customer_admin', 'operator'], operator: true } as const
const MAX_WEBHOOKS = 20
/** That sign beside the one in force. */
const MAX_OLD_SECRETS = 3

export function makeWebhookRoutes(deps: PortalDeps, targets: WebhookTargets): ServedRoute[] {
  const { database, clock, cursors, keys, serve } = deps
  return [
    serve.write(
      {
        ...{ method: 'POST', path: PATH, tag: TAG, operationId: 'createWebhook' },
        summary: 'Have events of the acting organization sent to an address',
        description: `After Standard Webhooks 1.0.0. At most ${MAX_WEBHOOKS} of an organization.`,
        allows: MANAGERS,
        body: newWebhook,
        answers: {
          201: { description: 'The secret is shown here alone.', schema: webhookWithSecret },
        },
      },
      async ({ body, caller, nowMs }) => {
        const organizationId = requireActing(caller)
        const url = readTarget(body.url, targets)
        const id = newId('whk', clock)
        const secret = makeWebhookSecret(clock)
        const row: WebhookRow = {
          ...{ id, organization_id: organizationId, url, description: body.description },
          ...{ events: JSON.stringify(body.events), old_secrets: '[]', delivered_ms: null },
          secret: sealWebhookSecret(keys, id, secret),
          ...disabledBy(body.isEnabled, nowMs),
          created_ms: nowMs,
          made_by: personOf(caller),
        }
        return async (transaction) => {
          await requireRoom(transaction, organizationId)
          await transaction.insertInto('webhooks').values(row).execute()
          const told = { webhook: await tellWebhook(transaction, row, nowMs), secret }
          return { status: 201, target: id, isSecret: true, body: told }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: PATH, tag: TAG, operationId: 'listWebhooks' },
        summary: 'Webhooks of the acting organization',
        allows: READERS,
        query: pageQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(webhook) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const { cursor, limit } = query
        let rows = database.read
          .selectFrom('webhooks')
          .selectAll()
          .where('organization_id', '=', requireActing(caller))
          .orderBy('id', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const found = await rows.execute()
        const told = await Promise.all(found.map((row) => tellWebhook(database.read, row, nowMs)))
        return {
          body: cursors.page(told, { limit, list, keyOf: ({ id }) => id, tell: (it) => it }),
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: `${PATH}/{webhookId}`, tag: TAG, operationId: 'readWebhook' },
        summary: 'One webhook',
        allows: READERS,
        answers: { 200: { description: 'The webhook.', schema: webhook } },
      },
      async ({ caller, path, nowMs }) => {
        const row = await findWebhook(database.read, requireActing(caller), path('webhookId'))
        return { body: await tellWebhook(database.read, row, nowMs) }
      },
    ),
    serve.write(
      {
        ...{ method: 'PATCH', path: `${PATH}/{webhookId}`, tag: TAG, operationId: 'changeWebhook' },
        summary: 'Change, disable or enable a webhook',
        description:
          'While it is disabled its messages are skipped, those on their way too. The secret stays.',
        allows: MANAGERS,
        body: changedWebhook,
        answers: { 200: { description: 'As it is now.', schema: webhook } },
      },
      async ({ body, caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        const url = body.url === undefined ? undefined : readTarget(body.url, targets)
        return async (transaction) => {
          const before = await findWebhook(transaction, organizationId, path('webhookId'))
          const { isEnabled } = body
          const row: WebhookRow = {
            ...before,
            url: url ?? before.url,
            // Who gave the address answers for where the events go.
            made_by: url === undefined ? before.made_by : personOf(caller),
            description: body.description ?? before.description,
            events: body.events === undefined ? before.events : JSON.stringify(body.events),
            ...(isEnabled === undefined || isEnabled === (before.disabled_by === null)
              ? {}
              : disabledBy(isEnabled, nowMs)),
          }
          await transaction.updateTable('webhooks').set(row).where('id', '=', row.id).execute()
          if (row.disabled_by !== null) await skipWaiting(transaction, row.id)
          return { target: row.id, body: await tellWebhook(transaction, row, nowMs) }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: `${PATH}/{webhookId}/secret`, tag: TAG },
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new secret; for a while the old one signs, too',
        allows: MANAGERS,
        body: rotatedSecret,
        answers: {
          201: { description: 'The secret is shown here alone.', schema: webhookWithSecret },
        },
      },
      async ({ body, caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const before = await findWebhook(transaction, organizationId, path('webhookId'))
          const untilMs = nowMs + body.overlapSeconds * 1000
          // Overlap 0 ends all that were before.
          const olds =
            body.overlapSeconds === 0
              ? []
              : [...readOldSecrets(before, nowMs), { secret: before.secret, untilMs }]
          if (olds.length > MAX_OLD_SECRETS)
            throw new Failure('portal.too_many', { what: 'old secrets', limit: MAX_OLD_SECRETS })
          const secret = makeWebhookSecret(clock)
          const row: WebhookRow = {
            ...before,
            secret: sealWebhookSecret(keys, before.id, secret),
            old_secrets: JSON.stringify(olds),
          }
          await transaction.updateTable('webhooks').set(row).where('id', '=', row.id).execute()
          const told = { webhook: await tellWebhook(transaction, row, nowMs), secret }
          return { status: 201, target: row.id, isSecret: true, body: told }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: `${PATH}/{webhookId}`, tag: TAG },
        operationId: 'removeWebhook',
        summary: 'Remove a webhook with its messages',
        allows: MANAGERS,
        answers: { 204: { description: 'Nothing goes there any more.' } },
      },
      async ({ caller, path }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const { id } = await findWebhook(transaction, organizationId, path('webhookId'))
          for (const table of ['webhook_attempts', 'webhook_messages'] as const)
            await transaction.deleteFrom(table).where('webhook_id', '=', id).execute()
          await transaction.deleteFrom('webhooks').where('id', '=', id).execute()
          return { target: id }
        }
      },
    ),
  ]
}

function disabledBy(isEnabled: boolean, nowMs: number) {
  return isEnabled
    ? { disabled_by: null, disabled_ms: null }
    : { disabled_by: 'person', disabled_ms: nowMs }
}

async function requireRoom(db: PortalReader, organizationId: string): Promise<void> {
  const rows = db.selectFrom('webhooks').select('id')
  const own = await rows.where('organization_id', '=', organizationId).execute()
  if (own.length >= MAX_WEBHOOKS)
    throw new Failure('portal.too_many', { what: 'webhooks', limit: MAX_WEBHOOKS })
}
