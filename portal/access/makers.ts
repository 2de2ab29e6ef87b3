// Who made an API key, an operator token or a webhook, and whether that person is still there.
import type { Maker } from '../../schemas/portal/accounts.ts'
import type { PortalReader } from '../database/open.ts'

type Made = { readonly made_by: string | null }

/** `of`: members of that organization are still there; undefined: of the vendor. */
export async function readMakers(
  db: PortalReader,
  rows: readonly Made[],
  of: string | undefined,
): Promise<(row: Made) => Maker | null> {
  const ids = [...new Set(rows.flatMap(({ made_by }) => (made_by === null ? [] : [made_by])))]
  if (ids.length === 0) return () => null
  const people = await db
    .selectFrom('people')
    .select(['id', 'name', 'is_enabled'])
    .where('id', 'in', ids)
    .execute()
  const all = db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select('memberships.person_id')
    .where('memberships.person_id', 'in', ids)
  const members = await (of === undefined
    ? all.where('organizations.kind', '=', 'vendor')
    : all.where('organizations.id', '=', of)
  ).execute()
  const makers = new Map(
    people.map(({ id, name, is_enabled }) => {
      const isMember = is_enabled === 1 && members.some(({ person_id }) => person_id === id)
      return [id, { id, name, isMember }]
    }),
  )
  return ({ made_by }) => makers.get(made_by ?? '') ?? null
}
