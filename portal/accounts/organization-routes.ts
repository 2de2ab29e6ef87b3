// Organizations: made and seen by the vendor's staff; a channel sees the customers that buy through
// it, others their own.
import { foldName } from '../../infra/database/fold-name.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import {
  newOrganization,
  type Organization,
  organization,
  organizationKind,
  organizationsQuery,
} from '../../schemas/portal/accounts.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import { type Caller, EVERY_ROLE, organizationOf } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalReader } from '../database/open.ts'
import type { OrganizationRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'

const TAG = 'organizations'

export function makeOrganizationRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve } = deps
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/organizations', tag: TAG, operationId: 'createOrganization' },
        summary: 'Make an organization',
        allows: { roles: ['operator'], operator: true },
        body: newOrganization,
        answers: { 201: { description: 'It is there.', schema: organization } },
      },
      async ({ body, nowMs }) => {
        if (body.kind === 'channel' && body.channel === null)
          throw new InvalidRequest([{ pointer: '/channel', message: 'a channel needs its code' }])
        const row: OrganizationRow = {
          ...body,
          id: newId('org', clock),
          name_folded: foldName(body.name),
          created_ms: nowMs,
        }
        return async (transaction) => {
          const known = transaction.selectFrom('organizations').select('id')
          const same = known.where('name_folded', '=', row.name_folded)
          if ((await same.executeTakeFirst()) !== undefined)
            throw new Failure('portal.exists', { what: 'organization', name: row.name })
          await transaction.insertInto('organizations').values(row).execute()
          return { status: 201, body: tellOrganization(row), target: row.id }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/organizations', tag: TAG, operationId: 'listOrganizations' },
        summary: 'Organizations that the caller may act for',
        allows: { roles: EVERY_ROLE, operator: true },
        query: organizationsQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(organization) } },
      },
      async ({ caller, query, list }) => {
        const { cursor, limit, kind } = query
        const before = cursor === undefined ? undefined : cursors.read(cursor, list)
        let rows = await visibleOrganizations(database.read, caller)
        rows = rows.orderBy('id', 'desc').limit(limit + 1)
        if (before !== undefined) rows = rows.where('id', '<', before)
        if (kind !== undefined) rows = rows.where('kind', '=', kind)
        const told = { limit, list, keyOf: idOfRow, tell: tellOrganization }
        return { body: cursors.page(await rows.execute(), told) }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/organizations/{organizationId}', tag: TAG },
        operationId: 'readOrganization',
        summary: 'One organization',
        allows: { roles: EVERY_ROLE, operator: true },
        answers: { 200: { description: 'The organization.', schema: organization } },
      },
      async ({ caller, path }) => {
        const visible = await visibleOrganizations(database.read, caller)
        const row = await visible.where('id', '=', path('organizationId')).executeTakeFirst()
        if (row === undefined) throw new Failure('portal.not_found', { what: 'organization' })
        return { body: tellOrganization(row) }
      },
    ),
  ]
}

/** Those that the caller may act for. */
async function visibleOrganizations(db: PortalReader, caller: Caller) {
  const all = db.selectFrom('organizations').selectAll()
  if (caller.kind === 'operator') return all
  const role = caller.kind === 'session' ? caller.role : undefined
  if (role === 'operator' || role === 'sales') return all
  const own = organizationOf(caller) ?? ''
  if (role !== 'channel') return all.where('id', '=', own)
  const acting = db.selectFrom('organizations').select('channel').where('id', '=', own)
  const channel = (await acting.executeTakeFirst())?.channel ?? null
  return all.where((eb) => eb.or([eb('id', '=', own), eb('channel', '=', channel)]))
}

export function tellOrganization(row: OrganizationRow): Organization {
  const { id, name, channel, region, currency, created_ms } = row
  const kind = organizationKind.parse(row.kind)
  const createdAt = new Date(created_ms).toISOString()
  return { id, name, kind, channel, region, currency, createdAt }
}

function idOfRow({ id }: { readonly id: string }): string {
  return id
}
