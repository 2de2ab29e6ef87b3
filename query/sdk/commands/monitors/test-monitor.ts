// testMonitor: when a monitor would have opened alerts in the last week.
import { requireMonitor } from '../../../../infra/metastore/monitors/monitors.ts'
import { testMonitor as published } from '../../../../schemas/sdk/monitors/test-monitor.ts'
import { requireOwn } from '../../monitors/monitor-owner.ts'
import { serveCommand } from '../../server/serve-command.ts'

/** Further ones are in the number alone. */
const MAX_TIMES = 500

export const testMonitor = serveCommand(published, async ({ name }, tools) => {
  const { database, caller, tryMonitor } = tools
  const monitor = await database.snapshot(async (transaction) => {
    const found = await requireMonitor(transaction, name)
    await requireOwn(transaction, found, caller.user)
    return found
  })
  const { runs, isComplete, fromMs, fired } = await tryMonitor(monitor)
  const times = `${fired.length} time${fired.length === 1 ? '' : 's'}`
  const answer = {
    name: monitor.name,
    summary: isComplete
      ? `would have fired ${times} in the last 7 days`
      : `would have fired ${times} in the first ${runs} due times of the last 7 days; then its time was over`,
    ...{ runs, isComplete, from: new Date(fromMs).toISOString() },
    fired: fired
      .slice(0, MAX_TIMES)
      .map(({ atMs, group, count }) => ({ at: new Date(atMs).toISOString(), group, count })),
  }
  return async () => answer
})
