// From what a call shows to who calls. Each call reads the database: what was revoked is refused by
// every process at once (decision 9.5). A credential never stands in an address.
import type { Clock } from '../../infra/clock.ts'
import { Failure } from '../../schemas/failures.ts'
import type { PersonRole } from '../../schemas/portal/roles.ts'
import { SCOPES, type Scope } from '../../schemas/portal/scopes.ts'
import type { PortalReader } from '../database/open.ts'
import type { CredentialRow } from '../database/tables.ts'
import { findRole } from './acting-organization.ts'
import { type Caller, STAFF } from './caller.ts'
import { hashSecret, readSecretKind } from './secrets.ts'

export const COOKIE = 'logeye_portal_session'
export const ORGANIZATION_HEADER = 'x-organization-id'

/** Fails with portal.unauthenticated for a credential that is unknown, ended or revoked: a call
 *  that shows one is never taken as one that shows none. But a browser sends its cookie by itself:
 *  where everybody may call (`isOpen`), an ended session in it keeps no one from signing in. */
export async function authenticate(
  request: Request,
  { db, clock }: { readonly db: PortalReader; readonly clock: Pick<Clock, 'nowMs'> },
  isOpen: boolean,
): Promise<Caller> {
  const shown = readShown(request)
  if (shown === undefined) return { kind: 'nobody' }
  const { secret, isCookie } = shown
  const kind = readSecretKind(secret)
  const row = kind === undefined ? undefined : await findCredential(db, secret, clock.nowMs())
  if (row === undefined && isOpen && isCookie && kind === 'session') return { kind: 'nobody' }
  if (row === undefined || row.kind !== kind) throw new Failure('portal.unauthenticated')
  // A browser keeps sessions in its cookie, nothing else.
  if (isCookie && kind !== 'session') throw new Failure('portal.unauthenticated')
  const asked = request.headers.get(ORGANIZATION_HEADER) ?? undefined
  return await toCaller(db, row, { secret, isCookie, asked })
}

/** A revoked key of a licence is found, and told that it is one (decision 9.6). */
export async function findCredential(
  db: PortalReader,
  secret: string,
  nowMs: number,
): Promise<CredentialRow | undefined> {
  const row = await db
    .selectFrom('credentials')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.revoked_ms !== null && row.kind !== 'license') return undefined
  return row.expires_ms !== null && row.expires_ms <= nowMs ? undefined : row
}

function readShown(request: Request): { secret: string; isCookie: boolean } | undefined {
  const authorization = request.headers.get('authorization')
  if (authorization !== null) {
    const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
    if (bearer === undefined) throw new Failure('portal.unauthenticated')
    return { secret: bearer, isCookie: false }
  }
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === COOKIE && value !== undefined && value !== '')
      return { secret: value, isCookie: true }
  }
  return undefined
}

async function toCaller(
  db: PortalReader,
  row: CredentialRow,
  call: { readonly secret: string; readonly isCookie: boolean; readonly asked: string | undefined },
): Promise<Caller> {
  const { id, kind, organization_id: organizationId, owner_id: ownerId } = row
  const { secret, isCookie, asked } = call
  if (kind === 'operator') {
    if (asked !== undefined) await requireOrganization(db, asked)
    return { kind, id, organizationId: asked }
  }
  if (kind === 'session' && ownerId !== null) {
    const chosen = asked ?? organizationId ?? undefined
    const role = chosen === undefined ? undefined : await findRole(db, ownerId, chosen)
    // A person who left an organization, or was disabled, has no role; naming a foreign one says no
    // more than naming none that is there.
    if (role === undefined && asked !== undefined)
      throw new Failure('portal.not_found', { what: 'organization' })
    if (!(await isEnabled(db, ownerId))) throw new Failure('portal.unauthenticated')
    return {
      ...{ kind, id, personId: ownerId, role, isCookie, secret },
      organizationId: role === undefined ? undefined : chosen,
      actsForVendor: isStaffRole(role) && (await isVendor(db, chosen)),
      expiresMs: row.expires_ms ?? 0,
    }
  }
  if (organizationId === null) throw new Failure('portal.unauthenticated')
  // These act for their own organization alone.
  if (asked !== undefined && asked !== organizationId)
    throw new Failure('portal.not_found', { what: 'organization' })
  if (kind === 'api_key') return { kind, id, organizationId, scopes: readScopes(row.scopes) }
  if (ownerId === null) throw new Failure('portal.unauthenticated')
  return kind === 'deployment'
    ? { kind, id, deploymentId: ownerId, organizationId }
    : {
        kind: 'license',
        id,
        licenseId: ownerId,
        organizationId,
        isRevoked: row.revoked_ms !== null,
      }
}

async function requireOrganization(db: PortalReader, id: string): Promise<void> {
  const found = db.selectFrom('organizations').select('id').where('id', '=', id)
  if ((await found.executeTakeFirst()) === undefined)
    throw new Failure('portal.not_found', { what: 'organization' })
}

function isStaffRole(role: PersonRole | undefined): boolean {
  return STAFF.some((one) => one === role)
}

async function isVendor(db: PortalReader, id: string | undefined): Promise<boolean> {
  const found = db
    .selectFrom('organizations')
    .select('kind')
    .where('id', '=', id ?? '')
  return (await found.executeTakeFirst())?.kind === 'vendor'
}

async function isEnabled(db: PortalReader, personId: string): Promise<boolean> {
  const found = db.selectFrom('people').select('is_enabled').where('id', '=', personId)
  return (await found.executeTakeFirst())?.is_enabled === 1
}

export function readScopes(text: string): readonly Scope[] {
  const given: unknown = JSON.parse(text)
  return Array.isArray(given) ? SCOPES.filter((scope) => given.includes(scope)) : []
}
