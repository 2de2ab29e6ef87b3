// The first contact of a deployment (decision 9.6). Again with the same licence and fingerprint it
// is the same deployment, with a new token in place of the old one.
import { sql } from 'kysely'
import type { Clock } from '../../infra/clock.ts'
import { Failure } from '../../schemas/failures.ts'
import { newId } from '../access/ids.ts'
import { makeSecret } from '../access/secrets.ts'
import { insertCredential, revokeCredentials } from '../accounts/credentials.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { DeploymentRow, LicenseRow } from '../database/tables.ts'
import { putEvent } from '../webhooks/put-event.ts'
import { DAY_MS, findTwins, raiseConflict } from './alerts.ts'
import { type Kept, keepReports, type Report } from './keep-reports.ts'

/** Fails with portal.license_revoked. */
export async function registerDeployment(
  transaction: PortalTransaction,
  licenseId: string,
  report: Omit<Report, 'deploymentId'>,
  clock: Clock,
): Promise<Kept & { readonly token: string }> {
  const license = await requireLicense(transaction, licenseId)
  const known = await findSame(transaction, licenseId, report.fingerprint)
  const row = known ?? (await insertDeployment(transaction, license, report, clock))
  if (known !== undefined && isElsewhere(known, report))
    await raiseConflict(
      transaction,
      known,
      `it was registered again from ${report.address} while ${known.address} reported`,
      report.atMs,
    )
  for (const twin of await findTwins(transaction, row, report.atMs)) {
    // Each organization learns of its own deployment alone.
    const detail = 'an installation with the same fingerprint reports by another licence'
    await raiseConflict(transaction, row, detail, report.atMs)
    await raiseConflict(transaction, twin, detail, report.atMs)
  }
  if (known === undefined) await tellRegistered(transaction, row, clock)
  const token = await replaceToken(transaction, row, report.atMs, clock)
  const [kept] = await keepReports(transaction, [{ ...report, deploymentId: row.id }])
  if (kept === undefined) throw new Error('a deployment that was just kept is not there')
  return { ...kept, token }
}

/** The one before ends. */
export async function replaceToken(
  transaction: PortalTransaction,
  row: Pick<DeploymentRow, 'id' | 'organization_id' | 'reported_name'>,
  nowMs: number,
  clock: Clock,
): Promise<string> {
  const secret = makeSecret('deployment', clock)
  await revokeCredentials(transaction, { kind: 'deployment', ownerId: row.id }, nowMs)
  await insertCredential(transaction, secret, {
    ...{ id: newId('crd', clock), kind: 'deployment', name: row.reported_name },
    ...{ organizationId: row.organization_id, ownerId: row.id, nowMs },
  })
  return secret.text
}

async function tellRegistered(transaction: PortalTransaction, row: DeploymentRow, clock: Clock) {
  const { organization_id: organizationId, license_id: licenseId, id: deploymentId } = row
  const { reported_name: name, version, layout } = row
  const data = { organizationId, licenseId, deploymentId, name, version, layout }
  await putEvent(transaction, { kind: 'deployment.registered', data }, clock)
}

async function requireLicense(db: PortalReader, id: string): Promise<LicenseRow> {
  const found = db.selectFrom('licenses').selectAll().where('id', '=', id)
  const license = await found.executeTakeFirst()
  if (license === undefined) throw new Failure('portal.unauthenticated')
  if (license.state === 'revoked') throw new Failure('portal.license_revoked')
  return license
}

async function findSame(
  db: PortalReader,
  licenseId: string,
  fingerprint: string,
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployments')
    .selectAll()
    .where('license_id', '=', licenseId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
}

function isElsewhere(row: DeploymentRow, { address, atMs }: Omit<Report, 'deploymentId'>): boolean {
  const isLive = row.retired_ms === null && atMs - row.last_seen_ms < DAY_MS
  return isLive && row.address !== address
}

async function insertDeployment(
  transaction: PortalTransaction,
  license: LicenseRow,
  report: Omit<Report, 'deploymentId'>,
  clock: Clock,
): Promise<DeploymentRow> {
  const { fingerprint, name, version, layout, nodes, address, atMs } = report
  const last = transaction
    .selectFrom('deployments')
    .select(sql<number | null>`max(number)`.as('number'))
  const number = Number((await last.executeTakeFirst())?.number ?? 0) + 1
  const row: DeploymentRow = {
    ...{ id: newId('dep', clock), number, fingerprint, version, layout, nodes, address },
    ...{ organization_id: license.organization_id, license_id: license.id },
    ...{ reported_name: name, label: null, other_address: null, other_seen_ms: null },
    ...{ created_ms: atMs, last_seen_ms: atMs, retired_ms: null },
  }
  await transaction.insertInto('deployments').values(row).execute()
  return row
}
