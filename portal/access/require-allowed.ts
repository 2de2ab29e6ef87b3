// Whether a caller may make a call, by the route alone; whose objects it sees is the work's to ask.
import { CSRF_HEADER, isCsrfToken } from '../../infra/access/csrf-token.ts'
import { Failure } from '../../schemas/failures.ts'
import type { Allows, Caller } from './caller.ts'

/** Fails with portal.unauthenticated, portal.forbidden, portal.insufficient_scope,
 *  portal.license_revoked. */
export function requireAllowed(caller: Caller, allows: Allows): void {
  if (allows.everybody) {
    if (caller.kind === 'license' && caller.isRevoked) throw new Failure('portal.license_revoked')
    return
  }
  switch (caller.kind) {
    case 'nobody':
      if (allows.nobody !== true) throw new Failure('portal.unauthenticated')
      return
    case 'api_key':
      if (allows.scope === undefined) throw new Failure('portal.forbidden')
      if (!caller.scopes.includes(allows.scope))
        throw new Failure('portal.insufficient_scope', { scope: allows.scope })
      return
    case 'session': {
      const { role } = caller
      const isAllowed = role !== undefined && allows.roles?.includes(role) === true
      if (!isAllowed) throw new Failure('portal.forbidden')
      return
    }
    case 'license':
      if (allows.license !== true) throw new Failure('portal.forbidden')
      if (caller.isRevoked) throw new Failure('portal.license_revoked')
      return
    case 'operator':
    case 'deployment':
      if (allows[caller.kind] !== true) throw new Failure('portal.forbidden')
  }
}

/** A page of another site has no token. Fails with portal.csrf. */
export function requireCsrfToken(caller: Caller, request: Request): void {
  if (caller.kind !== 'session' || !caller.isCookie) return
  const given = request.headers.get(CSRF_HEADER) ?? ''
  if (!isCsrfToken(caller.secret, given)) throw new Failure('portal.csrf')
}
