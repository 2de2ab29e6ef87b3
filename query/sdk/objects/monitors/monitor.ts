// Monitors, as far as the caller may know of them; only the owner and administrators remove one.
import { listMonitors, removeMonitor } from '../../../../infra/metastore/monitors/monitors.ts'
import {
  escalationValue,
  printEscalation,
  printWindow,
} from '../../../../schemas/monitors/monitor-values.ts'
import { mayKnowMonitor, ownerName, requireOwnMonitor } from '../../monitors/monitor-owner.ts'
import type { DescribedObject, ObjectKind } from '../object-kind.ts'
import { printList } from '../print-values.ts'
import { refTo } from '../ref-to.ts'
import { listIn } from './list-in.ts'
import { viewerOf } from './viewer-of.ts'

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
  readAll: async (transaction, viewer) => {
    const described: DescribedObject[] = []
    const all = await listMonitors(transaction)
    const asking = viewerOf(viewer)
    const known = all.filter((one) => mayKnowMonitor(one, asking))
    for (const { name, ownerId, isEnabled, settings } of known) {
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
      await requireOwnMonitor(transaction, name, viewerOf(viewer))
      await removeMonitor(transaction, name, nowMs)
    },
  },
}
