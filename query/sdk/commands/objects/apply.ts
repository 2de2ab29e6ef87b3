// apply: makes the configuration what a file says.
import { Failure } from '../../../../schemas/failures.ts'
import { apply as published } from '../../../../schemas/sdk/objects/apply.ts'
import { importObjects, tryOut } from '../../configuration/import-objects.ts'
import { readConfiguration } from '../../configuration/read-configuration.ts'
import { summarize } from '../../configuration/summarize.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const apply = serveCommand(published, async (input, tools) => {
  const { file, dryRun = false, prune: isPruned = false, environment = {}, plan } = input
  tools.objects.requireChangingSome()
  const work = await importObjects(readConfiguration(file), { environment, isPruned }, tools)
  if (dryRun) {
    const summary = summarize(await tryOut(tools, work), { dryRun })
    return () => Promise.resolve(summary)
  }
  return async (transaction) => {
    const summary = summarize(await work(transaction), { dryRun })
    if (plan !== undefined && plan !== summary.plan) throw new Failure('sdk.plan_changed')
    return summary
  }
})
