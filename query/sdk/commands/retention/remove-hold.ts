// removeHold.
import { concernsOfNode } from '../../../../infra/metastore/event-paths/node-concerns.ts'
import { concernsOfPolicy } from '../../../../infra/metastore/event-paths/policy-paths.ts'
import { removeHold as remove } from '../../../../infra/metastore/retention/change-holds.ts'
import { readHolds } from '../../../../infra/metastore/retention/legal-holds.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { removeHold as published } from '../../../../schemas/sdk/retention/remove-hold.ts'
import { isVisibleHold, printHold } from '../../server/keep/holds.ts'
import { serveAct } from '../../server/serve-command.ts'

export const removeHold = serveAct(
  published,
  async ({ number }, tools) => {
    const hold = (await readHolds(tools.database.read)).find((it) => it.number === number)
    if (hold !== undefined && !(await isVisibleHold(hold, tools)))
      throw new Failure('object.not_found', { kind: 'hold', name: number })
    return async (transaction) => printHold(await remove(transaction, number))
  },
  async ({ number }, transaction, nodes) => {
    const hold = (await readHolds(transaction)).find((it) => it.number === number)
    if (hold === undefined) return []
    const { kind, id } = hold
    if (kind === 'policy') return await concernsOfPolicy(id, transaction, nodes)
    return concernsOfNode({ kind, id }, nodes)
  },
)
