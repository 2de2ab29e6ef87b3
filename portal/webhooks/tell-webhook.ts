// Webhooks as their organization sees them.
import { Failure } from '../../schemas/failures.ts'
import { EVENT_KINDS, type WebhookEventKind } from '../../schemas/portal/webhook-events.ts'
import { DISABLED_BY } from '../../schemas/portal/webhooks.ts'
import { readMakers } from '../access/makers.ts'
import type { PortalReader } from '../database/open.ts'
import type { WebhookRow } from '../database/tables.ts'
import { readOldSecrets } from './secrets.ts'

export async function findWebhook(
  db: PortalReader,
  organizationId: string,
  id: string,
): Promise<WebhookRow> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'webhook' })
  return row
}

export async function tellWebhook(db: PortalReader, row: WebhookRow, nowMs: number) {
  const makerOf = await readMakers(db, [row], row.organization_id)
  const ends = readOldSecrets(row, nowMs).map(({ untilMs }) => untilMs)
  return {
    ...{ id: row.id, organizationId: row.organization_id, url: row.url },
    ...{ description: row.description, events: readKinds(row.events) },
    isEnabled: row.disabled_by === null,
    disabledBy: DISABLED_BY.find((one) => one === row.disabled_by) ?? null,
    disabledAt: timeOf(row.disabled_ms),
    createdAt: timeOf(row.created_ms),
    madeBy: makerOf(row),
    lastDeliveredAt: timeOf(row.delivered_ms),
    oldSecretsEndAt: timeOf(ends.length === 0 ? null : Math.max(...ends)),
  }
}

/** A kind of another version is left out. */
export function readKinds(text: string): readonly WebhookEventKind[] {
  const given: unknown = JSON.parse(text)
  return Array.isArray(given) ? EVENT_KINDS.filter((kind) => given.includes(kind)) : []
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
