// `logeye adopt-data`: the operator declares that the database is lost and that the events in store
// and event log are kept beside a new one; or that the database in place belongs to these events
// from now on. New logs get numbers above those in the store (metastore/ledger/log-numbers.ts).
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { type Config, publicUrlOf } from '../config-schema.ts'
import { DATABASE_FILE } from '../database/database-file.ts'
import { openDatabase } from '../database/open.ts'
import type { Database } from '../database/port.ts'
import { openEventLog } from '../event-log/open.ts'
import { eventLogNumberOf } from '../event-log/places.ts'
import { runFirstStart } from '../metastore/first-start.ts'
import { adoptEventLog, readEventLogNumber } from '../metastore/ledger/known-event-log.ts'
import { openSharedKey } from '../metastore/shared-key.ts'
import { checkInstallation, INSTALLATION_KEY } from '../supervisor/check-belonging.ts'
import { lockDataDir } from '../supervisor/data-dir-lock.ts'
import { adoptTopic, type ReadIntentNumber } from './adopt-topic.ts'
import { printFirstStart } from './welcome.ts'

/** Resolves with what was done and, of a new database, its secrets. Fails with start.data_dir_taken
 *  while the product runs, start.refused, store.*, event_log.*. */
export async function adoptData(
  config: Config,
  tools: { readonly clock: Clock; readonly readIntentNumber: ReadIntentNumber },
): Promise<string> {
  const { clock } = tools
  const { dataDir, databaseUrl, eventLogUrl } = config
  const lock = lockDataDir(dataDir)
  try {
    if (databaseUrl === undefined) keepLog(dataDir, clock)
    const database = await openDatabase({ url: databaseUrl?.reveal(), dataDir, clock })
    try {
      // First: secrets are shown once.
      if (eventLogUrl === undefined) await keepEmbeddedNumber(config, database, clock)
      else await adoptTopic(eventLogUrl.reveal(), config, database, tools)
      const secrets = await runFirstStart({ database, clock })
      const key = await openSharedKey(database, INSTALLATION_KEY, clock)
      checkInstallation(config, key, { isAdopting: true })
      const said =
        'The database and the events belong together from now on. Events of logs that it does not know are visible to administrators only; new logs get numbers above theirs.'
      return secrets === null
        ? said
        : `${said}\n\n${printFirstStart(publicUrlOf(config, config.http.plainPort), secrets)}`
    } finally {
      await database.close()
    }
  } finally {
    lock.release()
  }
}

/** One that was begun anew has a number, above which the next one begins. */
async function keepEmbeddedNumber(
  { dataDir, eventLog: limits }: Config,
  database: Database,
  clock: Clock,
): Promise<void> {
  let end: number
  try {
    const eventLog = await openEventLog({ dataDir, ...limits, clock })
    end = (await eventLog.status(0).finally(() => eventLog.close())).end
  } catch {
    // The next start names the damage.
    return
  }
  const number = eventLogNumberOf(end)
  const known = (await readEventLogNumber(database.read)) ?? 0
  const identity = `embedded ${clock.randomBytes(8).toString('hex')}`
  if (number > known) await adoptEventLog(database, identity, clock, number)
}

/** SQLite throws a log away whose database is missing; somebody may find the database yet. */
function keepLog(dataDir: string, clock: Pick<Clock, 'nowMs'>): void {
  const path = join(dataDir, DATABASE_FILE)
  const hasContent = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (hasContent(path) || !hasContent(`${path}-wal`)) return
  renameSync(`${path}-wal`, `${path}-wal.lost-${clock.nowMs()}`)
}
