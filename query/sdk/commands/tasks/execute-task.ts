// executeTask: runs a task of any kind.
import { requireTask, requireTaskOf } from '../../../../infra/metastore/tasks/tasks.ts'
import { executeTask as published } from '../../../../schemas/sdk/tasks/execute-task.ts'
import { serveAct } from '../../server/serve-command.ts'
import { findTaskConcerns, runTask } from '../../tasks/run-task.ts'
import { requireSeenQueryTask, requireSeenScanTask } from '../../tasks/seen-folder.ts'

export const executeTask = serveAct(
  published,
  async ({ name }, tools) => {
    const { database, objects, requireEditable } = tools
    const viewer = await objects.viewer()
    const task = await database.snapshot(async (transaction) => {
      const found = await requireTask(transaction, name)
      if (found.kind === 'syncLog') return await requireTaskOf(transaction, 'syncLog', name)
      if (found.kind === 'query')
        return await requireSeenQueryTask(transaction, name, viewer, 'task')
      return await requireSeenScanTask(transaction, name, viewer, 'task')
    })
    if ('parentFolder' in task.settings)
      await requireEditable({ kind: 'folder', levels: task.settings.parentFolder })
    if ('log' in task.settings) await requireEditable({ kind: 'log', levels: task.settings.log })
    return runTask(task, tools)
  },
  findTaskConcerns,
)
