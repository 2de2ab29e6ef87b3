// Whose a maintenance window is: it holds back what monitors tell, so only their owners and
// administrators change it. Whoever has one of its monitors knows of it, and everybody of one for
// all monitors.
import { foldName } from '../../../infra/database/fold-name.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import {
  listMaintenanceWindows,
  type MaintenanceWindow,
} from '../../../infra/metastore/monitors/maintenance-windows.ts'
import { listMonitors } from '../../../infra/metastore/monitors/monitors.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type MonitorViewer, mayKnowMonitor, requireOwnMonitor } from './monitor-owner.ts'

/** Each with those of its monitors that the viewer may know of. */
export async function listKnownWindows(
  transaction: DatabaseTransaction,
  viewer: MonitorViewer,
): Promise<readonly MaintenanceWindow[]> {
  const windows = await listMaintenanceWindows(transaction)
  if (viewer.isAdministrator || viewer.readsAllAlerts) return windows
  const own = await listMonitors(transaction)
  const known = new Set(
    own.filter((it) => mayKnowMonitor(it, viewer)).map(({ name }) => foldName(name)),
  )
  return windows.flatMap((window) => {
    const { monitors } = window.settings
    const seen = monitors.filter((name) => known.has(foldName(name)))
    if (monitors.length > 0 && seen.length === 0) return []
    return [{ ...window, settings: { ...window.settings, monitors: seen } }]
  })
}

/** Of somebody else's monitors it is none of the viewer's. Fails with object.not_found, also where
 *  the viewer may not know of it, rights.missing, monitor.not_own. */
export async function requireOwnWindow(
  transaction: DatabaseTransaction,
  name: string,
  viewer: MonitorViewer,
): Promise<void> {
  const find = (windows: readonly MaintenanceWindow[]) =>
    windows.find((one) => foldName(one.name) === foldName(name))
  const known = find(await listKnownWindows(transaction, viewer))
  if (known === undefined)
    throw new Failure('object.not_found', { kind: 'maintenance window', name })
  if (viewer.isAdministrator) return
  const whole = find(await listMaintenanceWindows(transaction))
  const hasOthers = whole?.settings.monitors.length !== known.settings.monitors.length
  if (hasOthers || known.settings.monitors.length === 0) throw new Failure('rights.missing')
  await requireOwnMonitors(transaction, known.settings.monitors, viewer)
}

/** As they are spelled. Fails with monitor.not_own, object.not_found. */
export async function requireOwnMonitors(
  transaction: DatabaseTransaction,
  names: readonly string[],
  viewer: MonitorViewer,
): Promise<readonly string[]> {
  const spelled = new Set<string>()
  for (const name of names) spelled.add((await requireOwnMonitor(transaction, name, viewer)).name)
  return [...spelled]
}
