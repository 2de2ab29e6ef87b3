// removeArchive: the scheduler removes the objects.
import {
  askForRemoval,
  readArchives,
  requireArchive,
} from '../../../../infra/metastore/archive/archives.ts'
import { heldBy } from '../../../../infra/metastore/archive/held-by.ts'
import { refuseThawed } from '../../../../infra/metastore/archive/thaws.ts'
import { concernsOfArchive } from '../../../../infra/metastore/event-paths/account-paths.ts'
import { readHeldEvents } from '../../../../infra/metastore/retention/legal-holds.ts'
import { readOpenRemovals } from '../../../../infra/metastore/retention/unit-removals.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { removeArchive as published } from '../../../../schemas/sdk/archive/remove-archive.ts'
import { describeArchive } from '../../server/keep/archives.ts'
import { serveAct } from '../../server/serve-command.ts'

export const removeArchive = serveAct(
  published,
  ({ archive: number }, tools) =>
    async (transaction) => {
      const archive = await requireArchive(transaction, number)
      await refuseThawed(transaction, number)
      const holds = heldBy(archive, await readHeldEvents(transaction))
      if (holds.length > 0) throw new Failure('retention.held', { holds: holds.join(', ') })
      // The day may be leaving the store because this archive has it.
      if ((await readOpenRemovals(transaction)).length > 0) throw new Failure('retention.busy')
      const removing = await askForRemoval(transaction, number)
      return await describeArchive(transaction, { ...removing, state: 'removing' }, tools)
    },
  async ({ archive: number }, transaction) => {
    const archives = await readArchives(transaction)
    return archives.filter((one) => one.number === number).flatMap(concernsOfArchive)
  },
)
