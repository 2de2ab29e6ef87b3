// executeTask: runs a scan task; a log sync task is refused so far.
import { requireTask } from '../../../../infra/metastore/tasks/tasks.ts'
import { executeTask as published } from '../../../../schemas/sdk/tasks/execute-task.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { refuseToRun } from '../../tasks/refuse-to-run.ts'
import { runTask } from '../../tasks/run-task.ts'
import { requireSeenScanTask } from '../../tasks/seen-folder.ts'

export const executeTask = serveCommand(published, async ({ name }, tools) => {
  const { database, objects, requireEditable } = tools
  const viewer = await objects.viewer()
  const task = await database.snapshot(async (transaction) => {
    const found = await requireTask(transaction, name)
    if (found.kind !== 'scan') throw refuseToRun(found.name)
    return await requireSeenScanTask(transaction, name, viewer, 'task')
  })
  await requireEditable({ kind: 'folder', levels: task.settings.parentFolder })
  const answer = await runTask(task, tools)
  return () => Promise.resolve(answer)
})
