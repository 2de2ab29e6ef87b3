// Books what usage takes of credits, and keeps the alerts: for each organization with a licence, by
// any process of the portal. Done twice it changes nothing.
import type { Clock } from '../../../infra/clock.ts'
import { describeError } from '../../../infra/logger.ts'
import type { PortalReader, PortalTransaction } from '../../database/open.ts'
import type { LicenseRow } from '../../database/tables.ts'
import type { PortalDeps } from '../../deps.ts'
import { keepLedger } from '../keep-credits.ts'
import { keepAlerts } from './keep-alerts.ts'
import { putAlertEvents, putBurnedEvents } from './put-alert-events.ts'
import { readStatus } from './read-status.ts'

export async function keepStatus(
  { database, clock, logger }: Pick<PortalDeps, 'database' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  const organizations = database.read.selectFrom('licenses').select('organization_id').distinct()
  for (const { organization_id } of await organizations.execute()) {
    if (signal.aborted) return
    const license = await findLicenseInForce(database.read, organization_id, clock.nowMs())
    if (license === undefined) continue
    await database
      .write((transaction) => keepOne(transaction, license, clock))
      .catch((error: unknown) => logger.warn('licence status not kept', describeError(error)))
  }
}

export async function keepOne(
  transaction: PortalTransaction,
  license: LicenseRow,
  clock: Clock,
): Promise<void> {
  const status = await readStatus(transaction, license, undefined, clock.nowMs())
  const { kept, booked, alerts, raised } = status
  const organizationId = license.organization_id
  if (booked !== kept) await keepLedger(transaction, organizationId, kept, booked)
  await keepAlerts(transaction, organizationId, alerts)
  await putAlertEvents(transaction, license, raised, clock)
  await putBurnedEvents(transaction, organizationId, booked, clock)
}

/** Of several the newest that is in force; else the newest. */
export async function findLicenseInForce(
  db: PortalReader,
  organizationId: string,
  nowMs: number,
): Promise<LicenseRow | undefined> {
  const all = db.selectFrom('licenses').selectAll()
  const rows = await all
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .execute()
  const isInForce = ({ state, from_ms, to_ms }: LicenseRow) =>
    state === 'active' && from_ms <= nowMs && nowMs < to_ms
  return rows.find(isInForce) ?? rows[0]
}
