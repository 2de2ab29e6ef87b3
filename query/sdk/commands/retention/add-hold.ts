// addHold.
import { foldName } from '../../../../infra/database/fold-name.ts'
import type { Database } from '../../../../infra/database/port.ts'
import { concernsOfPath } from '../../../../infra/metastore/event-paths/node-concerns.ts'
import { concernsOfPolicy } from '../../../../infra/metastore/event-paths/policy-paths.ts'
import { listPolicies } from '../../../../infra/metastore/policies/collection-policies.ts'
import { addHold as add } from '../../../../infra/metastore/retention/change-holds.ts'
import type { HoldTarget } from '../../../../infra/metastore/retention/legal-holds.ts'
import { readOpenRemovals } from '../../../../infra/metastore/retention/unit-removals.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { addHold as published } from '../../../../schemas/sdk/retention/add-hold.ts'
import { printHold } from '../../server/keep/holds.ts'
import { type CommandTools, serveAct } from '../../server/serve-command.ts'

/** A removal takes about a second. */
const WAIT_MS = 20_000
const LOOK_MS = 100

export const addHold = serveAct(
  published,
  async ({ log, folder, policy, from, to, reason }, tools) => {
    const target = targetOf({ log, folder, policy })
    if (target.kind !== 'policy') await tools.requireVisible(target)
    await waitForRemovals(tools.database, tools)
    const { clock, caller } = tools
    const madeBy = caller.user.name
    const hold = { target, fromMs: from, toMs: to, reason, madeBy }
    return async (transaction) =>
      printHold(await add(transaction, { ...hold, nowMs: clock.nowMs() }))
  },
  async ({ log, folder, policy }, transaction, nodes) => {
    if (policy === undefined) return concernsOfPath(log ?? folder ?? [], nodes)
    const found = (await listPolicies(transaction)).find(
      ({ name }) => foldName(name) === foldName(policy),
    )
    return found === undefined ? [] : await concernsOfPolicy(found.id, transaction, nodes)
  },
)

async function waitForRemovals(
  database: Database,
  { clock }: Pick<CommandTools, 'clock'>,
): Promise<void> {
  const beganMs = clock.elapsedMs()
  while ((await readOpenRemovals(database.read)).length > 0) {
    if (clock.elapsedMs() - beganMs > WAIT_MS) throw new Failure('retention.busy')
    await clock.sleep(LOOK_MS)
  }
}

function targetOf(given: {
  log: string[] | undefined
  folder: string[] | undefined
  policy: string | undefined
}): HoldTarget {
  const { log, folder = [], policy } = given
  if (policy !== undefined) return { kind: 'policy', name: policy }
  return log === undefined ? { kind: 'folder', levels: folder } : { kind: 'log', levels: log }
}
