// Monitors. Whoever may make some knows of all; only the owner and administrators remove one.
import {
  listMonitors,
  removeMonitor,
  requireMonitor,
} from '../../../../infra/metastore/monitors/monitors.ts'
import {
  escalationValue,
  printEscalation,
  printWindow,
} from '../../../../schemas/monitors/monitor-values.ts'
import { ownerName, requireOwn } from '../../monitors/monitor-owner.ts'
import { memberOf } from '../member-of.ts'
import type { DescribedObject, ObjectKind } from '../object-kind.ts'
import { printList } from '../print-values.ts'
import { refTo } from '../ref-to.ts'
import { listIn } from './list-in.ts'

export const monitor: ObjectKind = {
  type: 'monitor',
  command: 'addMonitor',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => [
    ...refTo('user', given.owner),
    ...listIn(given.actions).flatMap((name) => refTo('alertTarget', name)),
    ...(escalationValue.safeParse(given.escalation ?? '').data ?? []).flatMap(({ target }) =>
      refTo('alertTarget', target),
    ),
  ],
  readAll: async (transaction) => {
    const described: DescribedObject[] = []
    for (const { name, ownerId, isEnabled, settings } of await listMonitors(transaction)) {
      const { description, query, sources, schedule, timeZone, businessHours } = settings
      described.push({
        name,
        arguments: {
          ...{ name, query, sources, schedule, timeZone, businessHours },
          owner: await ownerName(transaction, ownerId),
          window: printWindow(settings.window),
          delaySeconds: String(settings.delaySeconds),
          ...{ rule: settings.rule, groupBy: settings.groupBy, severity: settings.severity },
          once: String(settings.isOnce),
          openAfter: String(settings.openAfter),
          closeAfter: String(settings.closeAfter),
          maxAlertsPerHour: String(settings.maxAlertsPerHour),
          tellEnd: String(settings.tellsEnd),
          actions: printList(settings.actions),
          escalation: printEscalation(settings.escalation),
          ...{ subject: settings.subject, text: settings.text, description },
          enabled: String(isEnabled),
        },
      })
    }
    return described
  },
  removal: {
    remove: async (transaction, name, nowMs, viewer) => {
      const found = await requireMonitor(transaction, name)
      const { userId = -1, isAdministrator = false } = memberOf(viewer) ?? {}
      await requireOwn(transaction, found, { id: userId, isAdministrator })
      await removeMonitor(transaction, name, nowMs)
    },
  },
}
