// Tasks that read a directory.

import { listTasks, removeTask, type Task } from '../../../infra/metastore/tasks/tasks.ts'
import { printFolder } from '../../../schemas/names/log-path.ts'
import { isFolderSeen, requireSeenScanTask } from '../tasks/seen-folder.ts'
import type { DescribedObject, ObjectArguments, ObjectKind } from './object-kind.ts'
import { readPolicyNames } from './policy-names.ts'
import { printList } from './print-values.ts'
import { refTo } from './ref-to.ts'
import { parentOf } from './tree/node-names.ts'

export const scanTask: ObjectKind = {
  type: 'scanTask',
  command: 'addScanTask',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  needs: (given) => [
    ...parentOf(given),
    ...refTo('collectionPolicy', given.collectionPolicy),
    ...refTo('template', given.template),
  ],
  readAll: async (transaction, viewer) => {
    const policyNames = await readPolicyNames(transaction)
    const described: DescribedObject[] = []
    for (const task of await listTasks(transaction, 'scan')) {
      const { name, settings } = task
      if (!(await isFolderSeen(transaction, settings.parentFolder, viewer))) continue
      const given = describe(task, policyNames.get(settings.policyId) ?? '')
      described.push({ name, arguments: given })
    }
    return described
  },
  removal: {
    remove: async (transaction, name, _nowMs, viewer) => {
      await requireSeenScanTask(transaction, name, viewer)
      await removeTask(transaction, 'scan', name)
    },
  },
}

function describe(task: Task<'scan'>, collectionPolicy: string): ObjectArguments {
  const { settings } = task
  return {
    name: task.name,
    directory: settings.directory,
    account: settings.account,
    parentFolder: printFolder(settings.parentFolder),
    collectionPolicy,
    appTags: printList(settings.appTags),
    template: settings.template,
    include: printList(settings.include),
    exclude: printList(settings.exclude),
    scanLevel: settings.scanLevel === null ? '' : String(settings.scanLevel),
    cron: settings.cron,
    description: task.description,
    enabled: String(task.isEnabled),
  }
}
