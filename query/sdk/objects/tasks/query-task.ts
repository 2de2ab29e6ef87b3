// Tasks that read rows of a database.

import { listTasks, removeTask } from '../../../../infra/metastore/tasks/tasks.ts'
import { printFolder } from '../../../../schemas/names/log-path.ts'
import { isFolderSeen, requireSeenQueryTask } from '../../tasks/seen-folder.ts'
import type { DescribedObject, ObjectKind } from '../object-kind.ts'
import { refTo } from '../ref-to.ts'

export const queryTask: ObjectKind = {
  type: 'queryTask',
  command: 'addQueryTask',
  notOfIt: ['mark'],
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => [...refTo('databaseAccount', given.account), ...refTo('log', given.log)],
  readAll: async (transaction, viewer) => {
    const described: DescribedObject[] = []
    for (const { name, description, isEnabled, settings } of await listTasks(
      transaction,
      'query',
    )) {
      if (!(await isFolderSeen(transaction, settings.log.slice(0, -1), viewer))) continue
      const { log, generation: _, generations: __, ...texts } = settings
      described.push({
        name,
        arguments: {
          name,
          ...texts,
          log: printFolder(log),
          description,
          enabled: String(isEnabled),
        },
      })
    }
    return described
  },
  removal: {
    remove: async (transaction, name, _nowMs, viewer) => {
      await requireSeenQueryTask(transaction, name, viewer)
      await removeTask(transaction, 'query', name)
    },
  },
}
