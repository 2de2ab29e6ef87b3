// listCollected: of logs that the caller may view.
import { readProgress } from '../../../../infra/metastore/collect/collected-progress.ts'
import { logPathKey } from '../../../../schemas/names/log-path.ts'
import { listCollected as published } from '../../../../schemas/sdk/tasks/list-collected.ts'
import { serveCommand } from '../../server/serve-command.ts'

const USUAL_TOP = 200

export const listCollected = serveCommand(
  published,
  async ({ top = USUAL_TOP }, { database, visibleLogs }) => {
    const [logs, progress] = [await visibleLogs(), await readProgress(database.read)]
    const all = logs.flatMap(({ id, folder, name }) => {
      const found = progress.get(id)
      if (found === undefined) return []
      const { changedMs, ...told } = found
      const faults = told.faults.map((fault) => ({ ...fault }))
      const readAt = new Date(changedMs).toISOString()
      return [{ log: logPathKey(folder, name), ...told, faults, readAt }]
    })
    all.sort(
      (a, b) =>
        Math.sign(b.faults.length) - Math.sign(a.faults.length) ||
        b.behindBytes - a.behindBytes ||
        (a.log < b.log ? -1 : 1),
    )
    return () => Promise.resolve({ logs: all.slice(0, top), total: all.length })
  },
)
