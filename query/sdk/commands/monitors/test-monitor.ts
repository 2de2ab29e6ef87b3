// testMonitor: when a monitor would have opened alerts, as it is saved or as it is given. It reads
// as its owner, so what may be given is what the caller might save.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { DEFAULT_MONITOR } from '../../../../schemas/monitors/monitor.ts'
import { printWindow } from '../../../../schemas/monitors/monitor-values.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { testMonitor as published } from '../../../../schemas/sdk/monitors/test-monitor.ts'
import type { UserRecord } from '../../../../schemas/users.ts'
import {
  checkAsked,
  checkTogether,
  definitionOf,
  withoutUndefined,
} from '../../monitors/definition.ts'
import { monitorViewer, readOwner, requireOwnMonitor } from '../../monitors/monitor-owner.ts'
import { printMoment } from '../../monitors/print-moment.ts'
import { serveCommand } from '../../server/serve-command.ts'

/** Further ones are in the number alone. */
const MAX_TIMES = 500
const MAX_TRIED = 3000
const WEEK_MS = 7 * 86_400_000

export const testMonitor = serveCommand(published, async (input, tools) => {
  const { database, caller, tryMonitor } = tools
  checkAsked(input)
  const monitor = await database.snapshot((transaction) => read(transaction, input, caller.user))
  checkTogether(monitor.settings)
  const { past = WEEK_MS } = input
  const tried = await tryMonitor(monitor, { past, caller: caller.user })
  const { runs, isComplete, fromMs, toMs, fired, sample } = tried
  const times = `${fired.length} time${fired.length === 1 ? '' : 's'}`
  const last = past === WEEK_MS ? '7 days' : printWindow(past)
  const answer = {
    name: monitor.name,
    summary: isComplete
      ? `would have fired ${times} in the last ${last}`
      : `would have fired ${times} in the first ${runs.length} due times of the last ${last}; then its time was over`,
    ...{ runs: runs.length, isComplete, from: printMoment(fromMs), to: printMoment(toMs) },
    fired: fired
      .slice(0, MAX_TIMES)
      .map(({ atMs, group, count }) => ({ at: printMoment(atMs), group, count })),
    tried: runs
      .slice(-MAX_TRIED)
      .map(({ atMs, count, failing }) => ({ at: printMoment(atMs), count, failing })),
    sample:
      sample === undefined
        ? null
        : {
            ...{ at: printMoment(sample.atMs), isFailing: sample.isFailing },
            columns: [...sample.columns],
            rows: sample.rows.map((row) => [...row]),
            times: [...(sample.times ?? [])],
          },
  }
  return async () => answer
})

/** As it would be saved. Fails with object.not_found, monitor.not_own, rights.missing. */
async function read(
  transaction: DatabaseTransaction,
  input: SdkInput<'testMonitor'>,
  user: UserRecord,
) {
  const { name, owner } = input
  const saved =
    name === undefined ? undefined : await requireOwnMonitor(transaction, name, monitorViewer(user))
  const ownerId = (await readOwner(transaction, owner, user)) ?? saved?.ownerId ?? user.id
  const settings = {
    ...{ ...DEFAULT_MONITOR, query: '', ...saved?.settings },
    ...withoutUndefined(definitionOf(input)),
  }
  return { name: saved?.name ?? '', ownerId, settings }
}
