// Tasks that copy logs of machines into a repository.
import { listTasks, removeTask } from '../../../infra/metastore/tasks/tasks.ts'
import type { ObjectKind } from './object-kind.ts'

export const syncLogTask: ObjectKind = {
  type: 'syncLogTask',
  command: 'addSyncLogTask',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  readAll: async (transaction) =>
    (await listTasks(transaction, 'syncLog')).map(({ name, description, isEnabled, settings }) => ({
      name,
      arguments: {
        ...{ name, configFile: settings.configuration, cron: settings.cron, description },
        ...{ assignedNode: settings.assignedNode ?? '', enabled: String(isEnabled) },
      },
    })),
  removal: { remove: (transaction, name) => removeTask(transaction, 'syncLog', name) },
}
