// Credentials: made, listed, revoked. A revoked one stays as a row, for the audit.
import type { NewSecret, SecretKind } from '../access/secrets.ts'
import type { PortalTransaction } from '../database/open.ts'

export type NewCredential = {
  readonly id: string
  readonly kind: SecretKind
  readonly name: string
  readonly organizationId: string | null
  readonly ownerId: string | null
  readonly scopes?: readonly string[]
  readonly nowMs: number
  readonly expiresMs?: number
  /** Of a session: from where. */
  readonly address?: string
  /** Id of the person, of an API key or operator token. */
  readonly madeBy?: string | null
}

export async function insertCredential(
  transaction: PortalTransaction,
  { hash, last4 }: NewSecret,
  credential: NewCredential,
): Promise<void> {
  const { id, kind, name, organizationId, ownerId, nowMs } = credential
  const { scopes = [], expiresMs, address, madeBy } = credential
  await transaction
    .insertInto('credentials')
    .values({
      ...{ id, kind, hash, last4, name, scopes: JSON.stringify(scopes) },
      ...{ organization_id: organizationId, owner_id: ownerId },
      ...{ created_ms: nowMs, expires_ms: expiresMs ?? null, revoked_ms: null },
      ...{ last_used_ms: null, address: address ?? null, made_by: madeBy ?? null },
    })
    .execute()
}

/** How many were in force until now. */
export async function revokeCredentials(
  transaction: PortalTransaction,
  of: { readonly kind: SecretKind; readonly ownerId: string; readonly id?: string },
  nowMs: number,
): Promise<number> {
  const { kind, ownerId, id } = of
  const update = transaction
    .updateTable('credentials')
    .set({ revoked_ms: nowMs })
    .where('kind', '=', kind)
    .where('owner_id', '=', ownerId)
    .where('revoked_ms', 'is', null)
  const narrowed = id === undefined ? update : update.where('id', '=', id)
  return Number((await narrowed.executeTakeFirst()).numUpdatedRows)
}
