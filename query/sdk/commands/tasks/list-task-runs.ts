// listTaskRuns: of scan and query tasks whose folder the caller may view, and of log sync tasks.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { readRuns } from '../../../../infra/metastore/tasks/task-runs.ts'
import { listTasks, requireTask, requireTaskOf } from '../../../../infra/metastore/tasks/tasks.ts'
import { listTaskRuns as published } from '../../../../schemas/sdk/tasks/list-task-runs.ts'
import type { ObjectViewer } from '../../objects/object-kind.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { describeRun } from '../../tasks/run-task.ts'
import { isFolderSeen, requireSeenQueryTask, requireSeenScanTask } from '../../tasks/seen-folder.ts'

export const listTaskRuns = serveCommand(published, async ({ name = '' }, { objects }) => {
  const viewer = await objects.viewer()
  return async (transaction) => {
    const one = name === '' ? undefined : await requireOne(transaction, name, viewer)
    const names = new Map<number, string>()
    for (const task of await listTasks(transaction, 'scan'))
      if (await isFolderSeen(transaction, task.settings.parentFolder, viewer))
        names.set(task.id, task.name)
    for (const task of await listTasks(transaction, 'query'))
      if (await isFolderSeen(transaction, task.settings.log.slice(0, -1), viewer))
        names.set(task.id, task.name)
    for (const task of await listTasks(transaction, 'syncLog')) names.set(task.id, task.name)
    const runs = await readRuns(transaction, one?.id)
    return {
      runs: runs.flatMap((run) => {
        const task = names.get(run.taskId)
        return task === undefined ? [] : [describeRun(task, run)]
      }),
    }
  }
})

async function requireOne(transaction: DatabaseTransaction, name: string, viewer: ObjectViewer) {
  const { kind } = await requireTask(transaction, name)
  if (kind === 'query') return await requireSeenQueryTask(transaction, name, viewer, 'task')
  return kind === 'syncLog'
    ? await requireTaskOf(transaction, 'syncLog', name)
    : await requireSeenScanTask(transaction, name, viewer, 'task')
}
