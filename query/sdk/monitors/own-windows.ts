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
  if (viewer.readsAllAlerts) return windows
  const isKnown = await makeIsKnown(transaction, viewer)
  return windows.flatMap((window) => {
    const { monitors } = window.settings
    const seen = monitors.filter((name) => isKnown(name) === true)
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
  const windows = await listMaintenanceWindows(transaction)
  const window = windows.find((one) => foldName(one.name) === foldName(name))
  const isKnown = await makeIsKnown(transaction, viewer)
  const monitors = window?.settings.monitors ?? []
  // Those that were removed are nobody's.
  const present = monitors.filter((one) => isKnown(one) !== undefined)
  const known = present.filter((one) => isKnown(one) === true)
  const isForAll = window !== undefined && monitors.length === 0
  const maySee = isForAll || known.length > 0 || viewer.readsAllAlerts
  if (window === undefined || !maySee)
    throw new Failure('object.not_found', { kind: 'maintenance window', name })
  if (viewer.isAdministrator) return
  if (known.length === 0 || known.length < present.length) throw new Failure('rights.missing')
  await requireOwnMonitors(transaction, known, viewer)
}

/** Of a monitor by its name: whether the viewer may know of it; undefined: there is none. */
async function makeIsKnown(
  transaction: DatabaseTransaction,
  viewer: MonitorViewer,
): Promise<(name: string) => boolean | undefined> {
  const known = new Map<string, boolean>()
  for (const monitor of await listMonitors(transaction))
    known.set(foldName(monitor.name), mayKnowMonitor(monitor, viewer))
  return (name) => known.get(foldName(name))
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
