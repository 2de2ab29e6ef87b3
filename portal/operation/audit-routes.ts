// Who changed what: of the acting organization; for the vendor, and operator tokens that name none,
// of all.
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { pageOf, pageQuery } from '../../schemas/portal/common.ts'
import { auditEntry } from '../../schemas/portal/people.ts'
import { listedOf } from '../access/caller.ts'
import type { PortalDeps } from '../deps.ts'

export function makeAuditRoutes({ database, cursors, serve }: PortalDeps): ServedRoute[] {
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/audit', tag: 'operation', operationId: 'listAudit' },
        summary: 'Who changed what, with which result',
        allows: { roles: ['customer_admin', 'operator'], operator: true },
        query: pageQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(auditEntry) } },
      },
      async ({ caller, query, list }) => {
        const { cursor, limit } = query
        const own = listedOf(caller)
        let rows = database.read.selectFrom('portal_audit').selectAll().orderBy('id', 'desc')
        rows = rows.limit(limit + 1)
        if (own !== undefined) rows = rows.where('organization_id', '=', own)
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const page = cursors.page(await rows.execute(), {
          ...{ limit, list },
          keyOf: ({ id }) => id,
          tell: ({ id, at_ms, caller, action, target, result, request_id, address }) => ({
            ...{ id, at: new Date(at_ms).toISOString(), caller, action, target, result },
            ...{ requestId: request_id, address },
          }),
        })
        return { body: page }
      },
    ),
  ]
}
