// executeScanTask: runs a scan task, for whoever may see its folder.
import { executeScanTask as published } from '../../../../schemas/sdk/tasks/execute-scan-task.ts'
import { serveAct } from '../../server/serve-command.ts'
import { findTaskConcerns, runTask } from '../../tasks/run-task.ts'
import { requireSeenScanTask } from '../../tasks/seen-folder.ts'

export const executeScanTask = serveAct(
  published,
  async ({ name }, tools) => {
    const { database, objects, requireEditable } = tools
    const viewer = await objects.viewer()
    const task = await database.snapshot((transaction) =>
      requireSeenScanTask(transaction, name, viewer),
    )
    await requireEditable({ kind: 'folder', levels: task.settings.parentFolder })
    return runTask(task, tools)
  },
  findTaskConcerns,
)
