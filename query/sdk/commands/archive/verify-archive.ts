// verifyArchive: the scheduler reads it.
import { askForCheck } from '../../../../infra/metastore/archive/archives.ts'
import { verifyArchive as published } from '../../../../schemas/sdk/archive/verify-archive.ts'
import { describeArchive } from '../../server/keep/archives.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const verifyArchive = serveCommand(
  published,
  ({ archive: number }, tools) =>
    async (transaction) => {
      const archive = await askForCheck(transaction, number, tools.clock.nowMs())
      return await describeArchive(transaction, archive, tools)
    },
)
