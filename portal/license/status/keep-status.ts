// Books what usage takes of credits, and keeps the alerts: for each organization with a licence, by
// any process of the portal. Done twice it changes nothing.
import type { Clock } from '../../../infra/clock.ts'
import { describeError } from '../../../infra/logger.ts'
import type { PortalTransaction } from '../../database/open.ts'
import type { LicenseRow } from '../../database/tables.ts'
import type { PortalDeps } from '../../deps.ts'
import { keepLedger } from '../keep-credits.ts'
import { findLicenseInForce } from './find-license.ts'
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

/** Before a list is read: books and notes what has become due since, so that it agrees with the
 *  status of this moment. */
export async function keepCurrent(
  { database, clock }: Pick<PortalDeps, 'database' | 'clock'>,
  organizationId: string,
): Promise<void> {
  const nowMs = clock.nowMs()
  const due = await database.snapshot(async (transaction) => {
    const license = await findLicenseInForce(transaction, organizationId, nowMs)
    if (license === undefined) return undefined
    const { kept, booked, raised, cleared } = await readStatus(
      transaction,
      license,
      undefined,
      nowMs,
    )
    const isDue =
      booked.movements.length > kept.movements.length || raised.length > 0 || cleared.length > 0
    return isDue ? license : undefined
  })
  if (due !== undefined) await database.write((transaction) => keepOne(transaction, due, clock))
}
