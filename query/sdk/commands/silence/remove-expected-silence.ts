// removeExpectedSilence: one that the caller is shown by silentLogs.
import { concernsOfPath } from '../../../../infra/metastore/event-paths/node-concerns.ts'
import { covers, readExpectedSilences } from '../../../../infra/metastore/silences/silences.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { removeExpectedSilence as published } from '../../../../schemas/sdk/silence/remove-expected-silence.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { serveAct } from '../../server/serve-command.ts'

export const removeExpectedSilence = serveAct(
  published,
  async ({ id }, { database, visibleLogs }) => {
    const logs = await visibleLogs()
    const all = await readExpectedSilences(database.read)
    const one = all.find((it) => it.id === id)
    const isShown = (path: readonly string[]) =>
      path.length === 0 || logs.some((log) => one && covers(one, [...log.folder, log.name]))
    if (one === undefined || !isShown(one.path))
      throw new Failure('object.not_found', { kind: 'expected silence', name: String(id) })
    return async (transaction) => {
      await transaction.deleteFrom('expected_silences').where('id', '=', id).execute()
      return { id, path: printRootPath(one.path) }
    }
  },
  async ({ id }, transaction, nodes) => {
    const one = (await readExpectedSilences(transaction)).find((it) => it.id === id)
    return one === undefined ? [] : concernsOfPath(one.path, nodes)
  },
)
