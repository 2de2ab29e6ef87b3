// listHolds.
import { readHolds } from '../../../../infra/metastore/retention/legal-holds.ts'
import { listHolds as published } from '../../../../schemas/sdk/retention/list-holds.ts'
import { isVisibleHold, printHold } from '../../server/keep/holds.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const listHolds = serveCommand(published, async (_, tools) => {
  const holds: ReturnType<typeof printHold>[] = []
  for (const hold of await readHolds(tools.database.read))
    holds.push(
      printHold((await isVisibleHold(hold, tools)) ? hold : { ...hold, target: '', reason: '' }),
    )
  return () => Promise.resolve({ holds })
})
