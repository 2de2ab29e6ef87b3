// Backups of the embedded engines: made in the process with the writer, which is held for a moment.
import { join } from 'node:path'
import { BACKUPS_DIRECTORY } from '../infra/backup/backup-layout.ts'
import { runBackups } from '../infra/backup/run-backups.ts'
import type { HoldWriter } from '../infra/backup/take-backup.ts'
import type { Config } from '../infra/config-schema.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import type { EnginesWithLog } from './event-log.ts'

export function backupDirectory({ backupDir, dataDir }: Config): string {
  return backupDir ?? join(dataDir, BACKUPS_DIRECTORY)
}

/** Does nothing where an engine is a server. */
export function openBackups(
  { clock, logger, lifecycle }: RoleContext,
  config: Config,
  { store, metastore, eventLog }: EnginesWithLog,
  holdWriter: HoldWriter,
): void {
  const { dataDir, databaseUrl, eventLogUrl, storeUrl, listener } = config
  if ([databaseUrl, eventLogUrl, storeUrl].some((url) => url !== undefined)) return
  const stopping = new AbortController()
  const { signal } = stopping
  const running = runBackups({
    ...{ dataDir, store, eventLog, clock, logger, signal, holdWriter },
    directory: backupDirectory(config),
    database: metastore.database,
    diskReserveBytes: listener.diskReserveBytes,
  })
  lifecycle.add(
    'backups',
    async () => {
      stopping.abort()
      await running
    },
    500,
  )
}
