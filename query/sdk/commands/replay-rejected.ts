// replayRejected: events of System->rejected are taken in again. Done when the transaction, which
// holds the audit entry, has committed: whoever may not do it sends nothing. Administrators alone
// (decision 3.10): the events are of any account.
import { replayRejected as published } from '../../../schemas/sdk/replay-rejected.ts'
import { Afterwards, serveAct } from '../server/serve-command.ts'

export const replayRejected = serveAct(
  published,
  (input, tools) => {
    const { reason, account, from: fromMs, to: toMs, limit = 10_000, dryRun = false } = input
    const filter = { reason, account, fromMs, toMs, limit, isDryRun: dryRun }
    const replay = async () => ({ ...(await tools.replayRejected(filter)), dryRun })
    return () => Promise.resolve(new Afterwards(replay))
  },
  () => [{ kind: 'administrator' }],
)
