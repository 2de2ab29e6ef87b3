// Tasks: what is collected, with which accounts, and into which folder or log.
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { listTasks, type Task } from '../tasks/tasks.ts'
import { belowFolder } from './listener-paths.ts'
import { usesAccount } from './node-paths.ts'
import type { Concern, PathEntry, ReadPaths } from './port.ts'

export const readTaskPaths: ReadPaths = async (transaction) => {
  const state = new Map<string, PathEntry>()
  for (const task of await listAllTasks(transaction)) {
    const { id, kind, isEnabled, settings } = task
    state.set(`task ${id}`, {
      mark: JSON.stringify([kind, isEnabled, settings]),
      name: 'a task',
      object: task.name,
      concerns: () => concernsOfTask(task),
    })
    for (const account of accountsOfTask(task))
      state.set(`task ${id} account ${foldName(account)}`, usesAccount(account))
  }
  return state
}

export async function listAllTasks(transaction: DatabaseTransaction): Promise<Task[]> {
  return [
    ...(await listTasks(transaction, 'scan')),
    ...(await listTasks(transaction, 'query')),
    ...(await listTasks(transaction, 'syncLog')),
  ]
}

/** A log sync task copies files, not events. */
export function concernsOfTask({ settings }: Pick<Task, 'settings'>): Concern[] {
  if ('parentFolder' in settings) return [belowFolder(settings.parentFolder, 'edit')]
  if ('log' in settings)
    return [{ kind: 'place', place: { kind: 'log', levels: settings.log }, asks: 'edit' }]
  return []
}

export function accountsOfTask({ settings }: Task): readonly string[] {
  if ('accounts' in settings) return settings.accounts
  return settings.account === '' ? [] : [settings.account]
}
