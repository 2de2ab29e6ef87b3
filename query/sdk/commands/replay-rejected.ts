// replayRejected: events of System->rejected are taken in again. Done before the transaction, which
// holds the audit entry: a call that is repeated sends nothing twice.
import { replayRejected as published } from '../../../schemas/sdk/replay-rejected.ts'
import { serveCommand } from '../server/serve-command.ts'

export const replayRejected = serveCommand(published, async (input, tools) => {
  const { reason, account, from: fromMs, to: toMs, limit = 10_000, dryRun = false } = input
  const filter = { reason, account, fromMs, toMs, limit, isDryRun: dryRun }
  const summary = await tools.replayRejected(filter)
  return () => Promise.resolve({ ...summary, dryRun })
})
