// Maintenance windows.
import { removeMaintenanceWindow } from '../../../../infra/metastore/monitors/maintenance-windows.ts'
import { listKnownWindows, requireOwnWindow } from '../../monitors/own-windows.ts'
import type { ObjectKind } from '../object-kind.ts'
import { printList } from '../print-values.ts'
import { refTo } from '../ref-to.ts'
import { listIn } from './list-in.ts'
import { viewerOf } from './viewer-of.ts'

export const maintenanceWindow: ObjectKind = {
  type: 'maintenanceWindow',
  command: 'addMaintenanceWindow',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => listIn(given.monitors).flatMap((name) => refTo('monitor', name)),
  readAll: async (transaction, viewer) =>
    (await listKnownWindows(transaction, viewerOf(viewer))).map(({ name, isEnabled, settings }) => {
      const { monitors, start, end, cron, minutes, timeZone, description } = settings
      return {
        name,
        arguments: {
          ...{ name, monitors: printList(monitors), start, end, cron, minutes: String(minutes) },
          ...{ timeZone, description, enabled: String(isEnabled) },
        },
      }
    }),
  removal: {
    remove: async (transaction, name, _nowMs, viewer) => {
      await requireOwnWindow(transaction, name, viewerOf(viewer))
      await removeMaintenanceWindow(transaction, name)
    },
  },
}
