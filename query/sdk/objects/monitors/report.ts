// Reports by mail. Their owners and administrators know of them.
import {
  listReports,
  removeReport,
  requireReport,
} from '../../../../infra/metastore/reports/reports.ts'
import { ownerName } from '../../monitors/monitor-owner.ts'
import type { DescribedObject, ObjectKind } from '../object-kind.ts'
import { printList } from '../print-values.ts'
import { refTo } from '../ref-to.ts'
import { listIn } from './list-in.ts'
import { viewerOf } from './viewer-of.ts'

export const report: ObjectKind = {
  type: 'report',
  command: 'addReport',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => [
    ...refTo('user', given.owner),
    ...refTo('dashboard', given.dashboard),
    ...listIn(given.targets).flatMap((name) => refTo('alertTarget', name)),
  ],
  readAll: async (transaction, viewer) => {
    const described: DescribedObject[] = []
    for (const one of await listReports(transaction, viewerOf(viewer))) {
      const { name, ownerId, isEnabled, settings } = one
      const { dashboard, search, schedule, timeZone, targets, subject, description } = settings
      described.push({
        name,
        arguments: {
          ...{ name, dashboard, search, owner: await ownerName(transaction, ownerId) },
          ...{ schedule, timeZone, targets: printList(targets), subject, description },
          enabled: String(isEnabled),
        },
      })
    }
    return described
  },
  removal: {
    remove: async (transaction, name, _nowMs, viewer) =>
      await removeReport(transaction, await requireReport(transaction, name, viewerOf(viewer))),
  },
}
