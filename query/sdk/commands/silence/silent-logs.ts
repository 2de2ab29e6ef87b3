// silentLogs: what the watch has told and the list of what is expected.
import {
  covers,
  readExpectedSilences,
  readSilences,
} from '../../../../infra/metastore/silences/silences.ts'
import { logPathKey } from '../../../../schemas/names/log-path.ts'
import { silentLogs as published } from '../../../../schemas/sdk/silence/silent-logs.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const silentLogs = serveCommand(published, async (_, { clock, database, visibleLogs }) => {
  const logs = await visibleLogs()
  const byId = new Map(logs.map((log) => [log.id, log]))
  const silences = await readSilences(database.read, clock.nowMs())
  const expected = await readExpectedSilences(database.read)
  const silent = silences.flatMap(({ logId, sinceMs, endedMs }) => {
    const log = byId.get(logId)
    if (log === undefined || endedMs !== null) return []
    return { log: logPathKey(log.folder, log.name), since: new Date(sinceMs).toISOString() }
  })
  const shown = expected
    .filter(
      (one) => one.path.length === 0 || logs.some((log) => covers(one, [...log.folder, log.name])),
    )
    .map(({ id, path, fromMs, toMs, reason, madeBy }) => ({
      ...{ id, path: printRootPath(path), reason, madeBy },
      from: new Date(fromMs).toISOString(),
      to: toMs === null ? null : new Date(toMs).toISOString(),
    }))
  return () => Promise.resolve({ silent, expected: shown })
})
