// Deployments as people and keys of the API see them.
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import {
  changedDeployment,
  type DeploymentTold,
  deployment,
  deploymentsQuery,
  deploymentWithToken,
} from '../../schemas/portal/deployments.ts'
import { type Caller, EVERY_ROLE, listedOf, organizationOf } from '../access/caller.ts'
import { revokeCredentials } from '../accounts/credentials.ts'
import type { PortalReader } from '../database/open.ts'
import type { DeploymentRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { DAY_MS } from './alerts.ts'
import { numberOfCursor } from './number-of-cursor.ts'
import { replaceToken } from './register.ts'

const TAG = 'deployments'
const READERS = { roles: EVERY_ROLE, operator: true, scope: 'deployments:read' } as const
const CHANGERS = { roles: ['customer_admin', 'operator'], operator: true } as const

export function makeDeploymentRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve } = deps
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/deployments', tag: TAG, operationId: 'listDeployments' },
        summary:
          'Deployments of the acting organization; for the vendor, and operators without one, all',
        allows: READERS,
        query: deploymentsQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(deployment) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const { cursor, limit, licenseId } = query
        let rows = ownedDeployments(database.read, listedOf(caller))
          .orderBy('number', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined) {
          const before = await numberOfCursor(database.read, cursors.read(cursor, list))
          rows = rows.where('number', '<', before)
        }
        if (licenseId !== undefined) rows = rows.where('license_id', '=', licenseId)
        const found = await rows.execute()
        const told = await tellDeployments(database.read, found, nowMs)
        const page = cursors.page(found, {
          ...{ limit, list, keyOf: ({ id }) => id },
          tell: ({ id }) => told.get(id),
        })
        return { body: page }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/deployments/{deploymentId}', tag: TAG },
        operationId: 'readDeployment',
        summary: 'One deployment',
        allows: READERS,
        answers: { 200: { description: 'The deployment.', schema: deployment } },
      },
      async ({ caller, path, nowMs }) => {
        const row = await findDeployment(database.read, caller, path('deploymentId'))
        return { body: await tellDeployment(database.read, row, nowMs) }
      },
    ),
    serve.write(
      {
        ...{ method: 'PATCH', path: '/deployments/{deploymentId}', tag: TAG },
        operationId: 'changeDeployment',
        summary: 'Rename or retire a deployment',
        description: 'Its usage stays. A retired one that shows its licence key again is back.',
        allows: CHANGERS,
        body: changedDeployment,
        answers: { 200: { description: 'As it is now.', schema: deployment } },
      },
      async ({ body, caller, path, nowMs }) =>
        async (transaction) => {
          const row = await findDeployment(transaction, caller, path('deploymentId'))
          const isRetired = body.state === 'retired'
          const changed: DeploymentRow = {
            ...row,
            label: body.name === undefined ? row.label : body.name,
            retired_ms: isRetired ? (row.retired_ms ?? nowMs) : row.retired_ms,
          }
          const { label, retired_ms } = changed
          const update = transaction.updateTable('deployments').set({ label, retired_ms })
          await update.where('id', '=', row.id).execute()
          const token = { kind: 'deployment', ownerId: row.id } as const
          if (isRetired) await revokeCredentials(transaction, token, nowMs)
          return { body: await tellDeployment(transaction, changed, nowMs), target: row.id }
        },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/deployments/{deploymentId}/token', tag: TAG },
        operationId: 'rotateDeploymentToken',
        summary: 'Make a new token of a deployment',
        description:
          'The old one ends at once. A product that shows it registers again by its licence key.',
        allows: CHANGERS,
        answers: {
          201: { description: 'The token is shown here alone.', schema: deploymentWithToken },
        },
      },
      async ({ caller, path, nowMs }) =>
        async (transaction) => {
          const row = await findDeployment(transaction, caller, path('deploymentId'))
          if (row.retired_ms !== null)
            throw new Failure('portal.not_found', { what: 'deployment in use' })
          const deploymentToken = await replaceToken(transaction, row, nowMs, clock)
          const told = await tellDeployment(transaction, row, nowMs)
          return {
            ...{ status: 201, target: row.id, isSecret: true },
            body: { deployment: told, deploymentToken },
          }
        },
    ),
  ]
}

/** Of the organization that the caller acts for; of all where an operator names none. */
export function visibleDeployments(db: PortalReader, caller: Caller) {
  const own = organizationOf(caller)
  return ownedDeployments(db, caller.kind === 'operator' ? own : (own ?? ''))
}

/** Undefined: of all. */
function ownedDeployments(db: PortalReader, organizationId: string | undefined) {
  const all = db.selectFrom('deployments').selectAll()
  return organizationId === undefined ? all : all.where('organization_id', '=', organizationId)
}

async function findDeployment(
  db: PortalReader,
  caller: Caller,
  id: string,
): Promise<DeploymentRow> {
  const row = await visibleDeployments(db, caller).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'deployment' })
  return row
}

export function stateOfDeployment(row: DeploymentRow, nowMs: number): DeploymentTold['state'] {
  if (row.retired_ms !== null) return 'retired'
  return nowMs - row.last_seen_ms >= DAY_MS ? 'silent' : 'registered'
}

async function tellDeployment(db: PortalReader, row: DeploymentRow, nowMs: number) {
  return (await tellDeployments(db, [row], nowMs)).get(row.id)
}

async function tellDeployments(
  db: PortalReader,
  rows: readonly DeploymentRow[],
  nowMs: number,
): Promise<Map<string, DeploymentTold>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const alerts = await db
    .selectFrom('deployment_alerts')
    .selectAll()
    .where('deployment_id', 'in', ids)
    .where('last_ms', '>', nowMs - DAY_MS)
    .execute()
  return new Map(
    rows.map((row) => {
      const own = alerts.filter((alert) => alert.deployment_id === row.id)
      const told = deployment.parse({
        ...{ id: row.id, organizationId: row.organization_id, licenseId: row.license_id },
        ...{ name: row.label ?? row.reported_name, fingerprint: row.fingerprint },
        ...{ version: row.version, layout: row.layout, nodes: JSON.parse(row.nodes) },
        state: stateOfDeployment(row, nowMs),
        createdAt: printTime(row.created_ms),
        lastSeenAt: printTime(row.last_seen_ms),
        retiredAt: row.retired_ms === null ? null : printTime(row.retired_ms),
        alerts: own.map(({ code, detail, since_ms, last_ms }) => ({
          ...{ code, message: detail, since: printTime(since_ms), lastSeenAt: printTime(last_ms) },
        })),
      })
      return [row.id, told]
    }),
  )
}

function printTime(ms: number): string {
  return new Date(ms).toISOString()
}
