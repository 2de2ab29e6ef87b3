// executeScanTask: refused for every scan task that there is.
import { requireTaskOf } from '../../../../infra/metastore/tasks/tasks.ts'
import { executeScanTask as published } from '../../../../schemas/sdk/tasks/execute-scan-task.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { refuseToRun } from '../../tasks/refuse-to-run.ts'

export const executeScanTask = serveCommand(published, ({ name }) => async (transaction) => {
  const task = await requireTaskOf(transaction, 'scan', name)
  throw refuseToRun(task.name)
})
