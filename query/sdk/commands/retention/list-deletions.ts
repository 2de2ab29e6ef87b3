// listDeletions.
import { readDeletions } from '../../../../infra/metastore/retention/deletions.ts'
import { listDeletions as published } from '../../../../schemas/sdk/retention/list-deletions.ts'
import { serveCommand } from '../../server/serve-command.ts'

const USUAL_TOP = 20

export const listDeletions = serveCommand(
  published,
  async ({ top = USUAL_TOP }, { database, objects, caller }) => {
    const { logs } = await objects.viewer()
    const all = await readDeletions(database.read, top)
    const deletions = all.map(({ logId, askedMs, endedMs, ...deletion }) => ({
      number: deletion.number,
      log: logs === 'all' || logs.has(logId) ? deletion.log : '',
      state: deletion.state,
      events: deletion.events,
      bytes: caller.user.masks.length > 0 ? 0 : deletion.bytes,
      askedBy: deletion.askedBy,
      askedAt: new Date(askedMs).toISOString(),
      endedAt: endedMs === undefined ? null : new Date(endedMs).toISOString(),
    }))
    return () => Promise.resolve({ deletions })
  },
)
