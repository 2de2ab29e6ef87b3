// Licences and their keys (decisions 9.5, 9.6): made by operators. The state that a caller sees
// follows from what an operator set and from the time.
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import {
  changedLicense,
  type LicenseTold,
  license,
  licensesQuery,
  licenseWithKey,
  newLicense,
  plan,
} from '../../schemas/portal/accounts.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import { type Caller, EVERY_ROLE, listedOf, organizationOf } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import { makeSecret } from '../access/secrets.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { CredentialRow, LicenseRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { insertCredential, revokeCredentials } from './credentials.ts'

const TAG = 'licenses'
const OPERATORS = { roles: ['operator'], operator: true } as const
const DAY_MS = 86_400_000
/** Before its end a licence is expiring; a short one only in its last third. */
const EXPIRING_MS = 30 * DAY_MS

export function makeLicenseRoutes({ database, clock, cursors, serve }: PortalDeps): ServedRoute[] {
  const addKey = async (transaction: PortalTransaction, row: LicenseRow, nowMs: number) => {
    const secret = makeSecret('license', clock)
    await insertCredential(transaction, secret, {
      ...{ id: newId('crd', clock), kind: 'license', name: row.name },
      ...{ organizationId: row.organization_id, ownerId: row.id, nowMs },
    })
    return secret.text
  }
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/licenses', tag: TAG, operationId: 'createLicense' },
        summary: 'Make a licence, and its first key',
        allows: OPERATORS,
        body: newLicense,
        answers: { 201: { description: 'The key is shown here alone.', schema: licenseWithKey } },
      },
      async ({ body, nowMs }) => {
        const { organizationId, name, validFrom, validTo } = body
        const fromMs = validFrom === undefined ? nowMs : Date.parse(validFrom)
        const row: LicenseRow = {
          ...{ id: newId('lcs', clock), organization_id: organizationId, name },
          ...{ plan: JSON.stringify(body.plan), from_ms: fromMs, to_ms: Date.parse(validTo) },
          ...{ state: 'active', created_ms: nowMs },
        }
        if (row.to_ms <= row.from_ms)
          throw new InvalidRequest([{ pointer: '/validTo', message: 'must be after validFrom' }])
        return async (transaction) => {
          const known = transaction.selectFrom('organizations').select('id')
          const of = await known.where('id', '=', organizationId).executeTakeFirst()
          if (of === undefined) throw new Failure('portal.not_found', { what: 'organization' })
          await transaction.insertInto('licenses').values(row).execute()
          const licenseKey = await addKey(transaction, row, nowMs)
          const told = await tellLicenses(transaction, [row], nowMs)
          return {
            ...{ status: 201, target: row.id, isSecret: true },
            body: { license: told[0], licenseKey },
          }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/licenses', tag: TAG, operationId: 'listLicenses' },
        summary:
          'Licences of the acting organization; for the vendor, and operators without one, all',
        allows: { roles: EVERY_ROLE, operator: true, scope: 'license:read' },
        query: licensesQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(license) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const { cursor, limit, organizationId } = query
        const before = cursor === undefined ? undefined : cursors.read(cursor, list)
        let rows = ownedLicenses(database.read, listedOf(caller))
          .orderBy('id', 'desc')
          .limit(limit + 1)
        if (before !== undefined) rows = rows.where('id', '<', before)
        if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId)
        const found = await rows.execute()
        const told = await tellLicenses(database.read, found, nowMs)
        return {
          body: cursors.page(told, { limit, list, keyOf: ({ id }) => id, tell: (it) => it }),
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/licenses/{licenseId}', tag: TAG, operationId: 'readLicense' },
        summary: 'One licence',
        allows: { roles: EVERY_ROLE, operator: true, scope: 'license:read' },
        answers: { 200: { description: 'The licence.', schema: license } },
      },
      async ({ caller, path, nowMs }) => {
        const row = await findLicense(database.read, caller, path('licenseId'))
        return { body: (await tellLicenses(database.read, [row], nowMs))[0] }
      },
    ),
    serve.write(
      {
        ...{ method: 'PATCH', path: '/licenses/{licenseId}', tag: TAG },
        operationId: 'changeLicense',
        summary: 'Suspend, revoke, extend or rename a licence',
        description: 'A revoked licence stays so.',
        allows: OPERATORS,
        body: changedLicense,
        answers: { 200: { description: 'As it is now.', schema: license } },
      },
      async ({ body, caller, path, nowMs }) => {
        return async (transaction) => {
          const row = await findLicense(transaction, caller, path('licenseId'))
          if (row.state === 'revoked' && body.state !== undefined && body.state !== 'revoked')
            throw new Failure('portal.license_revoked')
          const changed: LicenseRow = {
            ...row,
            name: body.name ?? row.name,
            state: body.state ?? row.state,
            plan: body.plan === undefined ? row.plan : JSON.stringify(body.plan),
            to_ms: body.validTo === undefined ? row.to_ms : Date.parse(body.validTo),
          }
          if (changed.to_ms <= changed.from_ms)
            throw new InvalidRequest([{ pointer: '/validTo', message: 'must be after validFrom' }])
          const update = transaction.updateTable('licenses').set(changed)
          await update.where('id', '=', row.id).execute()
          const told = await tellLicenses(transaction, [changed], nowMs)
          return { body: told[0], target: row.id }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/licenses/{licenseId}/keys', tag: TAG },
        operationId: 'addLicenseKey',
        summary: 'Make a further key of a licence',
        description: 'The keys that are there go on until they are revoked.',
        allows: OPERATORS,
        answers: { 201: { description: 'The key is shown here alone.', schema: licenseWithKey } },
      },
      async ({ caller, path, nowMs }) =>
        async (transaction) => {
          const row = await findLicense(transaction, caller, path('licenseId'))
          if (row.state === 'revoked') throw new Failure('portal.license_revoked')
          const licenseKey = await addKey(transaction, row, nowMs)
          const [told] = await tellLicenses(transaction, [row], nowMs)
          return {
            ...{ status: 201, target: row.id, isSecret: true },
            body: { license: told, licenseKey },
          }
        },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: '/licenses/{licenseId}/keys/{keyId}', tag: TAG },
        operationId: 'revokeLicenseKey',
        summary: 'Revoke a key of a licence',
        allows: OPERATORS,
        answers: { 204: { description: 'It is refused from now on.' } },
      },
      async ({ caller, path, nowMs }) =>
        async (transaction) => {
          const row = await findLicense(transaction, caller, path('licenseId'))
          const id = path('keyId')
          const ended = { kind: 'license', ownerId: row.id, id } as const
          if ((await revokeCredentials(transaction, ended, nowMs)) === 0)
            throw new Failure('portal.not_found', { what: 'key in force' })
          return { target: id }
        },
    ),
  ]
}

/** Of the organization that the caller acts for; of all where the vendor's staff names none. */
function visibleLicenses(db: PortalReader, caller: Caller) {
  const own = organizationOf(caller)
  return ownedLicenses(db, caller.kind === 'operator' ? own : (own ?? ''))
}

/** Undefined: of all. */
function ownedLicenses(db: PortalReader, organizationId: string | undefined) {
  const all = db.selectFrom('licenses').selectAll()
  return organizationId === undefined ? all : all.where('organization_id', '=', organizationId)
}

async function findLicense(db: PortalReader, caller: Caller, id: string): Promise<LicenseRow> {
  const row = await visibleLicenses(db, caller).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'licence' })
  return row
}

/** As callers see it at this moment. */
export function stateOfLicense(row: LicenseRow, nowMs: number): LicenseTold['state'] {
  if (row.state === 'revoked' || row.state === 'suspended') return row.state
  if (row.to_ms <= nowMs) return 'expired'
  if (row.from_ms > nowMs) return 'upcoming'
  const expiringMs = Math.min(EXPIRING_MS, (row.to_ms - row.from_ms) / 3)
  return row.to_ms <= nowMs + expiringMs ? 'expiring' : 'active'
}

async function tellLicenses(
  db: PortalReader,
  rows: readonly LicenseRow[],
  nowMs: number,
): Promise<LicenseTold[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const keys = await db
    .selectFrom('credentials')
    .selectAll()
    .where('kind', '=', 'license')
    .where('owner_id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...tellLicense(row, nowMs),
    keys: keys.filter((key) => key.owner_id === row.id).map(tellKey),
  }))
}

/** Without its keys. */
export function tellLicense(row: LicenseRow, nowMs: number): Omit<LicenseTold, 'keys'> {
  return {
    ...{ id: row.id, organizationId: row.organization_id, name: row.name },
    plan: plan.parse(JSON.parse(row.plan)),
    validFrom: new Date(row.from_ms).toISOString(),
    validTo: new Date(row.to_ms).toISOString(),
    state: stateOfLicense(row, nowMs),
    createdAt: new Date(row.created_ms).toISOString(),
  }
}

function tellKey({ id, last4, created_ms, revoked_ms }: CredentialRow) {
  return {
    ...{ id, last4, createdAt: new Date(created_ms).toISOString() },
    revokedAt: revoked_ms === null ? null : new Date(revoked_ms).toISOString(),
  }
}
