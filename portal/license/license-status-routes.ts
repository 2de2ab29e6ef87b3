// GET /license/status and its alerts (decision 9.7).
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { pageOf, pageQuery } from '../../schemas/portal/common.ts'
import {
  keptAlert,
  licenseStatus,
  licenseStatusQuery,
} from '../../schemas/portal/license/status.ts'
import { type Caller, EVERY_ROLE, requireActing } from '../access/caller.ts'
import type { PortalReader } from '../database/open.ts'
import type { DeploymentRow, LicenseRow } from '../database/tables.ts'
import { visibleDeployments } from '../deployments/deployment-routes.ts'
import type { PortalDeps } from '../deps.ts'
import { findLicenseInForce } from './status/find-license.ts'
import { toAlert } from './status/keep-alerts.ts'
import { keepCurrent } from './status/keep-status.ts'
import { readStatus, tellAlert } from './status/read-status.ts'

const TAG = 'license'
const READERS = { roles: EVERY_ROLE, operator: true, scope: 'license:read' } as const

export function makeLicenseStatusRoutes({
  database,
  clock,
  cursors,
  serve,
}: PortalDeps): ServedRoute[] {
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/license/status', tag: TAG, operationId: 'licenseStatus' },
        summary: 'Plan and actual volume, credits, forecast, alerts',
        description:
          'Of the licence of the acting organization that is in force, the newest of several; for a deployment, of its own.',
        allows: { ...READERS, deployment: true },
        query: licenseStatusQuery,
        answers: { 200: { description: 'The status.', schema: licenseStatus } },
      },
      async ({ caller, query, nowMs }) => {
        // Of one moment.
        const { status } = await database.snapshot(async (transaction) => {
          const { deploymentId } = query
          const one =
            deploymentId === undefined
              ? undefined
              : await findDeployment(transaction, caller, deploymentId)
          const license = await findLicense(transaction, caller, nowMs)
          return await readStatus(transaction, license, one, nowMs)
        })
        return { body: status }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/license/alerts', tag: TAG, operationId: 'listLicenseAlerts' },
        summary: 'Alerts with their history, newest first',
        allows: READERS,
        query: pageQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(keptAlert) } },
      },
      async ({ caller, query, list }) => {
        const { cursor, limit } = query
        const organizationId = requireActing(caller)
        await keepCurrent({ database, clock }, organizationId)
        let rows = database.read
          .selectFrom('license_alerts')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .orderBy('since_ms', 'desc')
          .orderBy('code', 'desc')
          .orderBy('subject', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined) {
          const [since = '', code = '', subject = ''] = cursors.read(cursor, list).split(' ')
          rows = rows.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('since_ms', 'code', 'subject'), '<', tuple(Number(since), code, subject)),
          )
        }
        const page = cursors.page(await rows.execute(), {
          ...{ limit, list },
          keyOf: ({ since_ms, code, subject }) => `${since_ms} ${code} ${subject}`,
          tell: (row) => {
            const [alert] = toAlert(row)
            const cleared = row.cleared_ms === null ? null : new Date(row.cleared_ms).toISOString()
            return alert === undefined ? undefined : { ...tellAlert(alert), clearedAt: cleared }
          },
        })
        return { body: { ...page, data: page.data.filter((one) => one !== undefined) } }
      },
    ),
  ]
}

async function findLicense(db: PortalReader, caller: Caller, nowMs: number): Promise<LicenseRow> {
  const found =
    caller.kind === 'deployment'
      ? await findLicenseOf(db, caller.deploymentId)
      : await findLicenseInForce(db, requireActing(caller), nowMs)
  if (found === undefined) throw new Failure('portal.not_found', { what: 'licence' })
  return found
}

async function findLicenseOf(
  db: PortalReader,
  deploymentId: string,
): Promise<LicenseRow | undefined> {
  return await db
    .selectFrom('licenses')
    .innerJoin('deployments', 'deployments.license_id', 'licenses.id')
    .selectAll('licenses')
    .where('deployments.id', '=', deploymentId)
    .executeTakeFirst()
}

async function findDeployment(
  db: PortalReader,
  caller: Caller,
  id: string,
): Promise<DeploymentRow> {
  const visible = visibleDeployments(db, caller).where('id', '=', id)
  const row = await visible.executeTakeFirst()
  // A deployment asks for itself alone.
  const isOwn = caller.kind !== 'deployment' || caller.deploymentId === id
  if (row === undefined || !isOwn) throw new Failure('portal.not_found', { what: 'deployment' })
  return row
}
