// What a person made that goes on without the person: API keys, operator tokens, webhooks. When
// somebody leaves, they are counted, and ended where that is asked for.
import { sql } from 'kysely'
import type { Person } from '../../schemas/portal/accounts.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import { skipWaiting } from '../webhooks/message-queue.ts'

type Counts = Person['made']

/** What they made for the organization and is in force. */
export async function countMade(
  db: PortalReader,
  people: readonly string[],
  organizationId: string,
  nowMs: number,
): Promise<(personId: string) => Counts> {
  const credentials = await keysInForce(db, people, organizationId, nowMs).execute()
  const webhooks = await enabledWebhooks(db, people, organizationId).execute()
  return (personId) => {
    const countOf = (rows: readonly { readonly made_by: string | null }[]) =>
      rows.filter(({ made_by }) => made_by === personId).length
    return {
      apiKeys: countOf(credentials.filter(({ kind }) => kind === 'api_key')),
      webhooks: countOf(webhooks),
      operatorTokens: countOf(credentials.filter(({ kind }) => kind === 'operator')),
    }
  }
}

/** Revokes keys and tokens, disables webhooks. `organizationId` undefined: of all. */
export async function endMade(
  transaction: PortalTransaction,
  personId: string,
  organizationId: string | undefined,
  nowMs: number,
): Promise<void> {
  const credentials = await keysInForce(transaction, [personId], organizationId, nowMs).execute()
  for (const { id } of credentials) {
    const update = transaction.updateTable('credentials').set({ revoked_ms: nowMs })
    await update.where('id', '=', id).execute()
  }
  for (const { id } of await enabledWebhooks(transaction, [personId], organizationId).execute()) {
    const disabled = { disabled_by: 'person', disabled_ms: nowMs }
    await transaction.updateTable('webhooks').set(disabled).where('id', '=', id).execute()
    await skipWaiting(transaction, id)
  }
}

/** Operator tokens are the vendor's. */
function keysInForce(
  db: PortalReader,
  people: readonly string[],
  organizationId: string | undefined,
  nowMs: number,
) {
  const made = db
    .selectFrom('credentials')
    .select(['id', 'kind', 'made_by'])
    .where('kind', 'in', ['api_key', 'operator'])
    .where('made_by', 'in', people)
    .where('revoked_ms', 'is', null)
    .where(sql<boolean>`(expires_ms is null or expires_ms > ${nowMs})`)
  if (organizationId === undefined) return made
  return made.where(({ or, and, eb, exists, selectFrom }) =>
    or([
      eb('organization_id', '=', organizationId),
      and([
        eb('kind', '=', 'operator'),
        exists(
          selectFrom('organizations')
            .select('organizations.id')
            .where('organizations.id', '=', organizationId)
            .where('organizations.kind', '=', 'vendor'),
        ),
      ]),
    ]),
  )
}

function enabledWebhooks(
  db: PortalReader,
  people: readonly string[],
  organizationId: string | undefined,
) {
  const made = db
    .selectFrom('webhooks')
    .select(['id', 'made_by'])
    .where('made_by', 'in', people)
    .where('disabled_by', 'is', null)
  return organizationId === undefined ? made : made.where('organization_id', '=', organizationId)
}
