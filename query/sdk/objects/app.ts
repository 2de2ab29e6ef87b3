// Apps, without their dashboards, which are objects of their own.
import { mayViewApp } from '../../../infra/metastore/dashboards/app-access.ts'
import { readListNames } from '../../../infra/metastore/dashboards/app-list-names.ts'
import { removeApp } from '../../../infra/metastore/dashboards/change-apps.ts'
import { listApps, requireEditableApp } from '../../../infra/metastore/dashboards/read-apps.ts'
import { printTimeFrame } from '../../../schemas/sdk/time-frame-value.ts'
import { GROUP_EVERYONE } from '../../../schemas/users.ts'
import { memberOf } from './member-of.ts'
import type { ObjectKind } from './object-kind.ts'
import { printList } from './print-values.ts'

/** As good as no list. */
const EVERYONE = { groups: [GROUP_EVERYONE.name], users: [] }

export const app: ObjectKind = {
  type: 'app',
  command: 'addApp',
  notOfIt: ['readyMade'],
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  readAll: async (transaction, viewer) => {
    const who = memberOf(viewer)
    const namesOf = await readListNames(transaction)
    const all = await listApps(transaction)
    return all
      .filter((one) => mayViewApp(one, who))
      .map(({ name, settings, viewers, editors }) => {
        const { description, colour, image, timeFrame, sources, generation, timeZone } = settings
        const view = namesOf(viewers) ?? EVERYONE
        const edit = namesOf(editors) ?? EVERYONE
        return {
          name,
          arguments: {
            ...{ name, description, colour, image, sources, generation, timeZone },
            timeFrame: printTimeFrame(timeFrame),
            ...{ viewGroups: printList(view.groups), viewUsers: printList(view.users) },
            ...{ editGroups: printList(edit.groups), editUsers: printList(edit.users) },
          },
        }
      })
  },
  removal: {
    remove: async (transaction, name, _nowMs, viewer) =>
      await removeApp(transaction, await requireEditableApp(transaction, name, memberOf(viewer))),
  },
}
