// importObject: makes or changes the one object of a file.
import { importObject as published } from '../../../../schemas/sdk/objects/import-object.ts'
import { fileFailure, importObjects, tryOut } from '../../configuration/import-objects.ts'
import { readConfiguration } from '../../configuration/read-configuration.ts'
import { summarize } from '../../configuration/summarize.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const importObject = serveCommand(published, async (input, tools) => {
  const { file, dryRun = false, environment = {} } = input
  tools.objects.requireChangingSome()
  const configuration = readConfiguration(file)
  const { objects, faults } = configuration
  if (faults.length === 0 && objects.length !== 1)
    throw fileFailure(`holds ${objects.length} objects, not one: use apply`)
  const work = await importObjects(configuration, { environment, isPruned: false }, tools)
  if (!dryRun) return async (transaction) => summarize(await work(transaction), { dryRun })
  const summary = summarize(await tryOut(tools, work), { dryRun })
  return () => Promise.resolve(summary)
})
