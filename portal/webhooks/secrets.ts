// Secrets by which receivers know that a message is ours (Standard Webhooks 1.0.0). We sign with
// them, so they are sealed and not hashed. A replaced one signs, too, until its end.
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { Clock } from '../../infra/clock.ts'
import type { PortalKeys } from '../access/portal-keys.ts'
import type { WebhookRow } from '../database/tables.ts'

const SECRET_BYTES = 32
const oldSecrets = z.array(z.strictObject({ secret: z.string(), untilMs: z.number() }))

export function makeWebhookSecret(clock: Pick<Clock, 'randomBytes'>): string {
  return `whsec_${clock.randomBytes(SECRET_BYTES).toString('base64')}`
}

export function sealWebhookSecret(keys: PortalKeys, id: string, secret: string): string {
  return keys.seal(placeOf(id), secret)
}

/** Those that still sign. */
export function readOldSecrets(row: Pick<WebhookRow, 'old_secrets'>, nowMs: number) {
  return oldSecrets.parse(JSON.parse(row.old_secrets)).filter(({ untilMs }) => untilMs > nowMs)
}

/** The headers of a message. Fails with secrets.key_missing. */
export function signMessage(
  webhook: Pick<WebhookRow, 'id' | 'secret' | 'old_secrets'>,
  message: { readonly id: string; readonly body: string; readonly atMs: number },
  keys: PortalKeys,
): Record<string, string> {
  const { id, body, atMs } = message
  const sealed = [webhook.secret, ...readOldSecrets(webhook, atMs).map(({ secret }) => secret)]
  const signatures = sealed.map((one) =>
    new Webhook(keys.open(placeOf(webhook.id), one)).sign(id, new Date(atMs), body),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

function placeOf(id: string): string {
  return `webhook ${id}`
}
