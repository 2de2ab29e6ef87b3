// Whose a maintenance window is: it holds back what monitors tell, so only their owners and
// administrators change it.
import { foldName } from '../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { listMaintenanceWindows } from '../../../infra/metastore/monitors/maintenance-windows.ts'
import { requireMonitor } from '../../../infra/metastore/monitors/monitors.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { UserRecord } from '../../../schemas/users.ts'
import { requireOwn } from './monitor-owner.ts'

/** Of somebody else's monitors it is none of the caller's. Fails with monitor.not_own,
 *  object.not_found. */
export async function requireOwnWindow(
  transaction: DatabaseTransaction,
  name: string,
  user: Pick<UserRecord, 'id' | 'isAdministrator'>,
): Promise<void> {
  const windows = await listMaintenanceWindows(transaction)
  const window = windows.find((one) => foldName(one.name) === foldName(name))
  if (window === undefined)
    throw new Failure('object.not_found', { kind: 'maintenance window', name })
  if (user.isAdministrator) return
  if (window.settings.monitors.length === 0) throw new Failure('rights.missing')
  await requireOwnMonitors(transaction, window.settings.monitors, user)
}

/** As they are spelled. Fails with monitor.not_own, object.not_found. */
export async function requireOwnMonitors(
  transaction: DatabaseTransaction,
  names: readonly string[],
  user: Pick<UserRecord, 'id' | 'isAdministrator'>,
): Promise<readonly string[]> {
  const spelled = new Set<string>()
  for (const name of names) {
    const monitor = await requireMonitor(transaction, name)
    await requireOwn(transaction, monitor, user)
    spelled.add(monitor.name)
  }
  return [...spelled]
}
