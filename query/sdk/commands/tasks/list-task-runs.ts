// listTaskRuns: of scan tasks whose folder the caller may view.
import { readRuns } from '../../../../infra/metastore/tasks/task-runs.ts'
import { listTasks } from '../../../../infra/metastore/tasks/tasks.ts'
import { listTaskRuns as published } from '../../../../schemas/sdk/tasks/list-task-runs.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { describeRun } from '../../tasks/run-task.ts'
import { isFolderSeen, requireSeenScanTask } from '../../tasks/seen-folder.ts'

export const listTaskRuns = serveCommand(published, async ({ name = '' }, { objects }) => {
  const viewer = await objects.viewer()
  return async (transaction) => {
    const one = name === '' ? undefined : await requireSeenScanTask(transaction, name, viewer)
    const names = new Map<number, string>()
    for (const task of await listTasks(transaction, 'scan'))
      if (await isFolderSeen(transaction, task.settings.parentFolder, viewer))
        names.set(task.id, task.name)
    const runs = await readRuns(transaction, one?.id)
    return {
      runs: runs.flatMap((run) => {
        const task = names.get(run.taskId)
        return task === undefined ? [] : [describeRun(task, run)]
      }),
    }
  }
})
