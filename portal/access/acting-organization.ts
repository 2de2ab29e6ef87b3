// In which role a person acts for an organization: as a member; as the vendor's staff for every
// one; as a channel for the customers that buy through it.
import type { PersonRole } from '../../schemas/portal/roles.ts'
import { PERSON_ROLES } from '../../schemas/portal/roles.ts'
import type { PortalReader } from '../database/open.ts'
import { STAFF } from './caller.ts'

/** Undefined: for none of it. */
export async function findRole(
  db: PortalReader,
  personId: string,
  organizationId: string,
): Promise<PersonRole | undefined> {
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.channel', 'memberships.role'])
    .where('memberships.person_id', '=', personId)
    .orderBy('memberships.created_ms')
    .execute()
  const roleOf = (text: string | undefined) => PERSON_ROLES.find((role) => role === text)
  const own = memberships.find(({ id }) => id === organizationId)
  if (own !== undefined) return roleOf(own.role)
  const wanted = await db
    .selectFrom('organizations')
    .select(['kind', 'channel'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (wanted === undefined) return undefined
  const staff = memberships.find(({ role }) => STAFF.some((one) => one === role))
  if (staff !== undefined) return roleOf(staff.role)
  const isSold = (channel: string | null) => channel !== null && channel === wanted.channel
  const seller = memberships.find(({ role, channel }) => role === 'channel' && isSold(channel))
  return wanted.kind === 'customer' ? roleOf(seller?.role) : undefined
}

/** The first one that the person is a member of. */
export async function findOwnOrganization(
  db: PortalReader,
  personId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('organization_id')
    .where('person_id', '=', personId)
    .orderBy('created_ms')
    .orderBy('organization_id')
    .executeTakeFirst()
  return row?.organization_id
}
