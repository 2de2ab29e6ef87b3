// What `doctor` finds for a caller: the checks of this process, and what only the store can tell.
import type { Clock } from '../../../infra/clock.ts'
import type { Database } from '../../../infra/database/port.ts'
import { type NamedFinding, ok, warn } from '../../../infra/doctor/check.ts'
import { readCollectFaults } from '../../../infra/metastore/collect/collect-faults.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Reader } from '../../../infra/metastore/rights/port.ts'
import { readSilences } from '../../../infra/metastore/silences/silences.ts'
import { Failure } from '../../../schemas/failures.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { readVisibleLogs } from '../../configuration/select-nodes.ts'

/** The user sees the names of those logs alone that are his to view. */
export type Examine = (reader: Reader) => Promise<readonly NamedFinding[]>

const MAX_NAMED = 20

export function makeExamine(deps: {
  readonly checkProduct: () => Promise<readonly NamedFinding[]>
  readonly metastore: OpenedMetastore
  readonly database: Pick<Database, 'read'>
  readonly clock: Pick<Clock, 'nowMs'>
}): Examine {
  const { checkProduct, metastore, database, clock } = deps

  async function checkSilence(reader: Reader): Promise<readonly NamedFinding[]> {
    const logs = await readVisibleLogs(metastore, reader)
    const byId = new Map(logs.map((log) => [log.id, log]))
    const silences = await readSilences(database.read, clock.nowMs())
    const silent = silences.flatMap(({ logId, sinceMs, endedMs }) => {
      const log = byId.get(logId)
      return log === undefined || endedMs !== null ? [] : [{ log, sinceMs }]
    })
    const findings = silent
      .slice(0, MAX_NAMED)
      .flatMap(({ log, sinceMs }) =>
        warn(
          `${logPathKey(log.folder, log.name)} has received nothing since ${new Date(sinceMs).toISOString()}, and usually does at such hours`,
          'see whether its sender runs, and what answer it gets; if it may be silent, say so with addExpectedSilence',
        ),
      )
    const more = silent.length - findings.length
    const all = [
      ...findings,
      ...(more > 0 ? warn(`${more} more logs fell silent`, 'mend the first ones') : []),
      ...(silent.length === 0 ? ok('no log fell silent') : []),
    ]
    return all.map((one) => ({ check: 'silent logs', ...one }))
  }

  /** What the collector could not read, of logs that the user may view. */
  async function checkFiles(reader: Reader): Promise<readonly NamedFinding[]> {
    const logs = (await readVisibleLogs(metastore, reader)).filter(
      ({ definition }) => definition.filePaths.length > 0,
    )
    if (logs.length === 0) return []
    const { read } = metastore.database
    const holder = await read
      .selectFrom('leases')
      .select('name')
      .where('name', '=', 'collector')
      .where('holder', '<>', '')
      .executeTakeFirst()
    const faulty = await read
      .selectFrom('collected_files')
      .select(['log_id', 'path', 'fault'])
      .where('fault', '<>', '')
      .where('state', '<>', 'done')
      .orderBy('id', 'desc')
      .limit(1000)
      .execute()
    const names = new Map(logs.map(({ id, name }) => [id, name]))
    const seen = faulty.filter(({ log_id }) => names.has(log_id)).slice(0, MAX_NAMED)
    const found = (await readCollectFaults(read)).filter(({ logId }) => names.has(logId))
    const findings = [
      ...(holder === undefined
        ? warn(
            `${logs.length} logs name files, and no process with the role collector runs`,
            'start one with the role collector on the machine of the files',
          )
        : []),
      ...found
        .slice(0, MAX_NAMED)
        .flatMap(({ logId, fault, sinceMs }) =>
          warn(
            `${names.get(logId)}: ${fault} (since ${new Date(sinceMs).toISOString()})`,
            'mend what it says, or take the paths from the log',
          ),
        ),
      ...seen.flatMap(({ log_id, path, fault }) =>
        warn(
          `${names.get(log_id)}: ${fault.startsWith('/') ? fault : `${path}: ${fault}`}`,
          'mend the file, or take it out of the paths of the log',
        ),
      ),
    ]
    const all = findings.length > 0 ? findings : ok('the files of all logs are read')
    return all.map((one) => ({ check: 'files', ...one }))
  }

  return async (reader) => [
    ...(await checkProduct()),
    ...(await checkFiles(reader)),
    ...(await checkSilence(reader)),
  ]
}

/** Where nobody handed any check over. */
export const refuseExamine: Examine = () => {
  throw new Failure('request.invalid', { reason: 'this process checks nothing' })
}
