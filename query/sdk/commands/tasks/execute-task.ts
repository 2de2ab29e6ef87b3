// executeTask: refused for every task that there is.
import { requireTask } from '../../../../infra/metastore/tasks/tasks.ts'
import { executeTask as published } from '../../../../schemas/sdk/tasks/execute-task.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { refuseToRun } from '../../tasks/refuse-to-run.ts'

export const executeTask = serveCommand(published, ({ name }) => async (transaction) => {
  const task = await requireTask(transaction, name)
  throw refuseToRun(task.name)
})
