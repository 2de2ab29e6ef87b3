// /session: people sign in, see who they are, act for another organization, sign out.
import { csrfTokenOf } from '../../infra/access/csrf-token.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import {
  changedSession,
  type SessionTold,
  session,
  sessionRequest,
} from '../../schemas/portal/accounts.ts'
import { pageOf, pageQuery } from '../../schemas/portal/common.ts'
import { ownSession } from '../../schemas/portal/people.ts'
import { findOwnOrganization, findRole } from '../access/acting-organization.ts'
import { COOKIE } from '../access/authenticate.ts'
import { type Caller, EVERY_ROLE } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import { makeSecret } from '../access/secrets.ts'
import type { PortalReader } from '../database/open.ts'
import type { PortalDeps } from '../deps.ts'
import { insertCredential, revokeCredentials } from './credentials.ts'
import { tellOrganization } from './organization-routes.ts'
import { sessionOf } from './password-routes.ts'
import { signIn } from './sign-in.ts'

const TAG = 'session'
const PATH = '/session'
const SESSION_MS = 12 * 3_600_000
const SIGN_INS_A_MINUTE = 10

type SessionCaller = Omit<Extract<Caller, { kind: 'session' }>, 'actsForVendor'>

export function makeSessionRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve, publicUrl } = deps
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = (value: string, seconds: number) => ({
    'set-cookie': `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
  })
  return [
    serve.write(
      {
        ...{ method: 'POST', path: PATH, tag: TAG, operationId: 'beginSession' },
        summary: 'Sign in',
        description: 'A wrong address, password or code have one answer.',
        allows: { nobody: true, roles: EVERY_ROLE },
        callsAMinute: SIGN_INS_A_MINUTE,
        body: sessionRequest,
        answers: { 201: { description: 'The session.', schema: session } },
      },
      async ({ body, address, nowMs }) => {
        const { person, finish } = await signIn(body, address, deps)
        const organizationId =
          body.organizationId ?? (await findOwnOrganization(database.read, person.id))
        const role = organizationId && (await findRole(database.read, person.id, organizationId))
        if (body.organizationId !== undefined && role === undefined)
          throw new Failure('portal.not_found', { what: 'organization' })
        const secret = makeSecret('session', clock)
        const id = newId('crd', clock)
        const expiresMs = nowMs + SESSION_MS
        return async (transaction) => {
          await finish(transaction)
          await insertCredential(transaction, secret, {
            ...{ id, kind: 'session', name: '', organizationId: organizationId ?? null },
            ...{ ownerId: person.id, nowMs, expiresMs, address },
          })
          const isCookie = body.cookie
          const caller: SessionCaller = {
            ...{ kind: 'session', id, personId: person.id, isCookie, expiresMs },
            ...{ organizationId, role: role || undefined, secret: secret.text },
          }
          return {
            ...{ status: 201, target: person.id, isSecret: true },
            body: { ...(await tell(transaction, caller)), token: isCookie ? null : secret.text },
            ...(isCookie ? { headers: cookie(secret.text, SESSION_MS / 1000) } : {}),
          }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: PATH, tag: TAG, operationId: 'readSession' },
        summary: 'Who has signed in, and for which organization the session acts',
        allows: { roles: EVERY_ROLE },
        answers: { 200: { description: 'The session.', schema: session } },
      },
      async ({ caller }) => ({ body: await tell(database.read, sessionOf(caller)) }),
    ),
    serve.write(
      {
        ...{ method: 'PATCH', path: PATH, tag: TAG, operationId: 'changeSession' },
        summary: 'Act for another organization from now on',
        allows: { roles: EVERY_ROLE },
        body: changedSession,
        answers: { 200: { description: 'The session.', schema: session } },
      },
      async ({ body, caller }) => {
        const own = sessionOf(caller)
        return async (transaction) => {
          const { organizationId } = body
          const role = await findRole(transaction, own.personId, organizationId)
          if (role === undefined) throw new Failure('portal.not_found', { what: 'organization' })
          await transaction
            .updateTable('credentials')
            .set({ organization_id: organizationId })
            .where('id', '=', own.id)
            .execute()
          const told = await tell(transaction, { ...own, organizationId, role })
          return { body: told, target: organizationId }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: PATH, tag: TAG, operationId: 'endSession' },
        summary: 'Sign out',
        allows: { roles: EVERY_ROLE },
        answers: { 204: { description: 'It has ended.' } },
      },
      async ({ caller, nowMs }) => {
        const { id, personId } = sessionOf(caller)
        return async (transaction) => {
          await revokeCredentials(transaction, { kind: 'session', ownerId: personId, id }, nowMs)
          return { target: personId, headers: cookie('', 0) }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/sessions', tag: TAG, operationId: 'listSessions' },
        summary: 'Own sessions',
        allows: { roles: EVERY_ROLE },
        query: pageQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(ownSession) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const { id: own, personId } = sessionOf(caller)
        const { cursor, limit } = query
        let rows = database.read
          .selectFrom('credentials')
          .select(['id', 'created_ms', 'expires_ms', 'address'])
          .where('kind', '=', 'session')
          .where('owner_id', '=', personId)
          .where('revoked_ms', 'is', null)
          .where('expires_ms', '>', nowMs)
          .orderBy('id', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const page = cursors.page(await rows.execute(), {
          ...{ limit, list },
          keyOf: ({ id }) => id,
          tell: ({ id, created_ms, expires_ms, address }) => ({
            ...{ id, isThisOne: id === own, address },
            createdAt: new Date(created_ms).toISOString(),
            expiresAt: new Date(expires_ms ?? 0).toISOString(),
          }),
        })
        return { body: page }
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: '/sessions/{sessionId}', tag: TAG },
        operationId: 'endOwnSession',
        summary: 'End one of the own sessions',
        allows: { roles: EVERY_ROLE },
        answers: { 204: { description: 'It has ended.' } },
      },
      async ({ caller, path, nowMs }) => {
        const ended = {
          kind: 'session',
          ownerId: sessionOf(caller).personId,
          id: path('sessionId'),
        } as const
        return async (transaction) => {
          if ((await revokeCredentials(transaction, ended, nowMs)) === 0)
            throw new Failure('portal.not_found', { what: 'session' })
          return { target: ended.id }
        }
      },
    ),
  ]
}

async function tell(db: PortalReader, caller: SessionCaller): Promise<SessionTold> {
  const { personId, organizationId, role, isCookie, secret, expiresMs } = caller
  const people = db.selectFrom('people').select(['id', 'email', 'name'])
  const person = await people.where('id', '=', personId).executeTakeFirst()
  if (person === undefined) throw new Failure('portal.unauthenticated')
  const organizations = db.selectFrom('organizations').selectAll()
  const row = await organizations.where('id', '=', organizationId ?? '').executeTakeFirst()
  return {
    person,
    organization: row === undefined ? null : tellOrganization(row),
    role: role ?? null,
    token: null,
    csrfToken: isCookie ? csrfTokenOf(secret) : null,
    expiresAt: new Date(expiresMs).toISOString(),
  }
}
