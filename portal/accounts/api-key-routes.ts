// Keys of the API for programs of an organization: made by its administrators, shown once, replaced
// and revoked at once.
import { sql } from 'kysely'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import type { Maker } from '../../schemas/portal/accounts.ts'
import {
  apiKey,
  apiKeyMade,
  apiKeysQuery,
  newApiKey,
  replacedApiKey,
} from '../../schemas/portal/api-keys.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import type { Scope } from '../../schemas/portal/scopes.ts'
import { readScopes } from '../access/authenticate.ts'
import { personOf, requireActing } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import { readMakers } from '../access/makers.ts'
import { makeSecret } from '../access/secrets.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { CredentialRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { insertCredential } from './credentials.ts'

const TAG = 'API keys'
const PATH = '/api-keys'
const ADMINS = { roles: ['customer_admin'] } as const
/** The vendor helps a customer whose key was lost. */
const KEEPERS = { roles: ['customer_admin', 'operator'], operator: true } as const
/** In force at once, of an organization. */
const MAX_KEYS = 100

export function makeApiKeyRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve } = deps
  return [
    serve.write(
      {
        ...{ method: 'POST', path: PATH, tag: TAG, operationId: 'createApiKey' },
        summary: 'Make a key of the API for a program',
        description: `It acts for the organization alone, at the calls of its scopes. At most ${MAX_KEYS} are in force at once.`,
        allows: ADMINS,
        body: newApiKey,
        answers: { 201: { description: 'The key is shown here alone.', schema: apiKeyMade } },
      },
      async ({ body, caller, nowMs }) => {
        const organizationId = requireActing(caller)
        const expiresMs = readExpiry(body.expiresAt, nowMs)
        return async (transaction) => {
          await requireRoom(transaction, organizationId, nowMs)
          const key = { name: body.name, scopes: body.scopes, organizationId, expiresMs }
          return await addKey(transaction, { ...key, madeBy: personOf(caller) }, nowMs)
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: PATH, tag: TAG, operationId: 'listApiKeys' },
        summary: 'Keys of the API of the acting organization',
        allows: KEEPERS,
        query: apiKeysQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(apiKey) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const { cursor, limit, inForce } = query
        const own = requireActing(caller)
        let rows =
          inForce === 'true' ? keysInForce(database.read, own, nowMs) : keys(database.read, own)
        rows = rows.orderBy('id', 'desc').limit(limit + 1)
        if (inForce === 'false') rows = rows.where(isEnded(nowMs))
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const found = await rows.execute()
        const makerOf = await readMakers(database.read, found, own)
        return {
          body: cursors.page(found, {
            ...{ limit, list, keyOf: ({ id }) => id },
            tell: (row) => tell(row, makerOf(row)),
          }),
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: `${PATH}/{keyId}/replace`, tag: TAG },
        operationId: 'replaceApiKey',
        summary: 'Make a key in place of one, with its name and scopes',
        allows: ADMINS,
        body: replacedApiKey,
        answers: { 201: { description: 'The key is shown here alone.', schema: apiKeyMade } },
      },
      async ({ body, caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        const givenMs = readExpiry(body.expiresAt, nowMs)
        return async (transaction) => {
          const old = await findKey(transaction, organizationId, path('keyId'), nowMs)
          const scopes = readScopes(old.scopes)
          const endMs = nowMs + body.graceSeconds * 1000
          const ended =
            body.graceSeconds === 0
              ? { revoked_ms: nowMs }
              : { expires_ms: Math.min(endMs, old.expires_ms ?? endMs) }
          await transaction.updateTable('credentials').set(ended).where('id', '=', old.id).execute()
          await requireRoom(transaction, organizationId, nowMs)
          const expiresMs = givenMs ?? old.expires_ms ?? undefined
          const key = { name: old.name, scopes, organizationId, expiresMs }
          return await addKey(transaction, { ...key, madeBy: personOf(caller) }, nowMs)
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: `${PATH}/{keyId}`, tag: TAG },
        operationId: 'revokeApiKey',
        summary: 'Revoke a key of the API',
        allows: KEEPERS,
        answers: { 204: { description: 'It is refused from now on, by every process.' } },
      },
      async ({ caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const row = await findKey(transaction, organizationId, path('keyId'), nowMs)
          const update = transaction.updateTable('credentials').set({ revoked_ms: nowMs })
          await update.where('id', '=', row.id).execute()
          return { target: row.id }
        }
      },
    ),
  ]

  async function addKey(
    transaction: PortalTransaction,
    key: {
      readonly name: string
      readonly scopes: readonly Scope[]
      readonly organizationId: string
      readonly expiresMs: number | undefined
      readonly madeBy: string | null
    },
    nowMs: number,
  ) {
    const { expiresMs, ...others } = key
    const secret = makeSecret('api_key', clock)
    const row = {
      id: newId('crd', clock),
      kind: 'api_key',
      ownerId: null,
      nowMs,
      ...others,
    } as const
    const kept = { ...row, ...(expiresMs === undefined ? {} : { expiresMs }) }
    await insertCredential(transaction, secret, kept)
    const made = {
      ...{ id: row.id, name: key.name, scopes: JSON.stringify(key.scopes), last4: secret.last4 },
      ...{ created_ms: nowMs, last_used_ms: null, revoked_ms: null, made_by: key.madeBy },
      expires_ms: expiresMs ?? null,
    }
    const makerOf = await readMakers(transaction, [made], key.organizationId)
    const told = tell(made, makerOf(made))
    return {
      ...{ status: 201, target: row.id, isSecret: true },
      body: { apiKey: told, key: secret.text },
    }
  }
}

function keys(db: PortalReader, organizationId: string) {
  return db
    .selectFrom('credentials')
    .selectAll()
    .where('kind', '=', 'api_key')
    .where('organization_id', '=', organizationId)
}

function keysInForce(db: PortalReader, organizationId: string, nowMs: number) {
  return keys(db, organizationId).where(({ not }) => not(isEnded(nowMs)))
}

function isEnded(nowMs: number) {
  return sql<boolean>`(revoked_ms is not null or (expires_ms is not null and expires_ms <= ${nowMs}))`
}

async function findKey(
  db: PortalReader,
  organizationId: string,
  id: string,
  nowMs: number,
): Promise<CredentialRow> {
  const found = keysInForce(db, organizationId, nowMs).where('id', '=', id)
  const row = await found.executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'API key in force' })
  return row
}

async function requireRoom(db: PortalReader, organizationId: string, nowMs: number): Promise<void> {
  const rows = await keysInForce(db, organizationId, nowMs).limit(MAX_KEYS).execute()
  if (rows.length >= MAX_KEYS)
    throw new Failure('portal.too_many', { what: 'API keys in force', limit: MAX_KEYS })
}

function readExpiry(given: string | undefined, nowMs: number): number | undefined {
  const ms = given === undefined ? undefined : Date.parse(given)
  if (ms !== undefined && ms <= nowMs)
    throw new InvalidRequest([{ pointer: '/expiresAt', message: 'is past' }])
  return ms
}

type Told = Pick<
  CredentialRow,
  'id' | 'name' | 'scopes' | 'last4' | 'created_ms' | 'last_used_ms' | 'expires_ms' | 'revoked_ms'
>

function tell(row: Told, madeBy: Maker | null) {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return {
    ...{ id: row.id, name: row.name, scopes: readScopes(row.scopes), last4: row.last4 },
    ...{ createdAt: time(row.created_ms), madeBy, lastUsedAt: time(row.last_used_ms) },
    ...{ expiresAt: time(row.expires_ms), revokedAt: time(row.revoked_ms) },
  }
}
