import type { MonitorViewer } from '../../monitors/monitor-owner.ts'
import { memberOf } from '../member-of.ts'
import type { ObjectViewer } from '../object-kind.ts'

/** Whoever asks for objects, as one who asks for monitors and reports. */
export function viewerOf(viewer: ObjectViewer): MonitorViewer {
  const { userId = -1, isAdministrator = false } = memberOf(viewer) ?? {}
  return { id: userId, isAdministrator, readsAllAlerts: viewer.readsAllAlerts ?? isAdministrator }
}
