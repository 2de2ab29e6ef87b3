// thaw: the row in the database; the scheduler brings the day back, and out again.
import { requireArchive } from '../../../../infra/metastore/archive/archives.ts'
import { askForThaw } from '../../../../infra/metastore/archive/thaws.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { thaw as published } from '../../../../schemas/sdk/archive/thaw.ts'
import { describeArchive } from '../../server/keep/archives.ts'
import { serveCommand } from '../../server/serve-command.ts'

const USUAL_MS = 7 * 86_400_000

export const thaw = serveCommand(published, ({ archive: number, until }, tools) => {
  const { clock, caller } = tools
  const nowMs = clock.nowMs()
  return async (transaction) => {
    const archive = await requireArchive(transaction, number)
    if (archive.state !== 'done') throw new Failure('archive.not_whole', { number })
    // Each of its events would be found twice.
    if (archive.droppedMs === undefined && !archive.isForeign)
      throw new Failure('archive.not_dropped', { number })
    const asked = { askedBy: caller.user.name, askedMs: nowMs }
    await askForThaw(transaction, { archive: number, untilMs: until ?? nowMs + USUAL_MS, ...asked })
    return await describeArchive(transaction, archive, tools)
  }
})
