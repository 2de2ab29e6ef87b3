// What a key of the API may be given by whom: never more than its maker may do.
import type { PersonRole } from '../../schemas/portal/roles.ts'
import { SCOPES, type Scope } from '../../schemas/portal/scopes.ts'

/** A scope is a role's when people of the role may make every call of it
 *  (test/contract/portal/portal-api-keys.test.ts compares). */
const SCOPES_OF: Readonly<Partial<Record<PersonRole, readonly Scope[]>>> = {
  customer_admin: SCOPES,
}

export function scopesOfRole(role: PersonRole | undefined): readonly Scope[] {
  return (role && SCOPES_OF[role]) ?? []
}
