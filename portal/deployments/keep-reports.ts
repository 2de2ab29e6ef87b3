// Reports of many deployments in one transaction: a few statements, however many there are.
import { sql } from 'kysely'
import { jsonRows } from '../database/json-rows.ts'
import type { PortalTransaction } from '../database/open.ts'
import type { DeploymentRow, LicenseRow } from '../database/tables.ts'
import { findCopy, moveTo, type Place, raiseConflict } from './alerts.ts'
import type { HourMeter } from './check-meters.ts'
import { keepUsage } from './keep-usage.ts'

export type Report = Place & {
  readonly deploymentId: string
  readonly name: string
  readonly version: string
  readonly layout: string
  /** JSON. */
  readonly nodes: string
  readonly meters: readonly HourMeter[]
}

export type Kept = { readonly deployment: DeploymentRow; readonly license: LicenseRow }

const COLUMNS = {
  number: 'bigint',
  reported_name: 'text',
  version: 'text',
  layout: 'text',
  nodes: 'text',
  address: 'text',
  other_address: 'text',
  other_seen_ms: 'bigint',
  last_seen_ms: 'bigint',
} as const

/** For each report what is known after it; undefined: of a deployment that is not there. */
export async function keepReports(
  transaction: PortalTransaction,
  reports: readonly Report[],
): Promise<(Kept | undefined)[]> {
  const known = await readDeployments(transaction, reports)
  for (const report of reports) {
    const kept = known.get(report.deploymentId)
    if (kept === undefined) continue
    const copy = findCopy(kept.deployment, report)
    if (copy !== undefined) await raiseConflict(transaction, kept.deployment, copy, report.atMs)
    const { name: reported_name, version, layout, nodes } = report
    const moved = moveTo(kept.deployment, report)
    known.set(report.deploymentId, {
      ...kept,
      deployment: { ...moved, reported_name, version, layout, nodes },
    })
  }
  await writeDeployments(
    transaction,
    [...known.values()].map(({ deployment }) => deployment),
  )
  const usage = reports.flatMap(({ deploymentId, meters }) => {
    const deployment = known.get(deploymentId)?.deployment
    if (deployment === undefined) return []
    const { number, organization_id } = deployment
    return meters.map((meter) => ({ ...meter, deployment: number, organization_id }))
  })
  await keepUsage(transaction, usage)
  return reports.map(({ deploymentId }) => known.get(deploymentId))
}

async function readDeployments(
  transaction: PortalTransaction,
  reports: readonly Report[],
): Promise<Map<string, Kept>> {
  const ids = [...new Set(reports.map(({ deploymentId }) => deploymentId))]
  const wanted = jsonRows(
    transaction,
    { id: 'text' },
    ids.map((id) => ({ id })),
  )
  const isWanted = sql<boolean>`id in (select w.id from ${wanted} as w)`
  const deployments = await transaction
    .selectFrom('deployments')
    .selectAll()
    .where(isWanted)
    .execute()
  const ofThem = jsonRows(
    transaction,
    { id: 'text' },
    [...new Set(deployments.map((row) => row.license_id))].map((id) => ({ id })),
  )
  const licenses = await transaction
    .selectFrom('licenses')
    .selectAll()
    .where(sql<boolean>`id in (select w.id from ${ofThem} as w)`)
    .execute()
  const byId = new Map(licenses.map((license) => [license.id, license]))
  return new Map(
    deployments.flatMap((deployment) => {
      const license = byId.get(deployment.license_id)
      return license === undefined ? [] : [[deployment.id, { deployment, license }] as const]
    }),
  )
}

async function writeDeployments(
  transaction: PortalTransaction,
  rows: readonly DeploymentRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`update deployments set
    reported_name = r.reported_name, version = r.version, layout = r.layout, nodes = r.nodes,
    address = r.address, other_address = r.other_address, other_seen_ms = r.other_seen_ms,
    last_seen_ms = r.last_seen_ms, retired_ms = null
    from ${jsonRows(transaction, COLUMNS, rows)} as r
    where deployments.number = r.number
  `.execute(transaction)
}
