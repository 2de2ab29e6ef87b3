// What a backup would take, without making it (decision 8.4, -dryRun).
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import { makeDataDir } from '../data-dir/make-data-dir.ts'
import { DATABASE_FILE } from '../database/database-file.ts'
import { type BackupDeps, type BackupSummary, requireRoom } from './take-backup.ts'

/** Fails with backup.failed as the backup would. */
export async function estimateBackup(deps: BackupDeps, name: string): Promise<BackupSummary> {
  const { store, eventLog, dataDir, directory } = deps
  if (existsSync(join(directory, name)))
    throw new Failure('backup.failed', { reason: `${join(directory, name)} is there` })
  makeDataDir(directory)
  const [parts] = await store.query<{ bytes: string; files: string; events: string }>({
    sql: `SELECT sum(bytes_on_disk) AS bytes, count() AS files, sumIf(rows, table = 'events') AS events
      FROM system.parts WHERE active AND database = 'default' AND table != 'results'`,
  })
  let blocks = 0
  let bytes = Number(parts?.bytes ?? 0) + statSync(join(dataDir, DATABASE_FILE)).size
  for (let partition = 0; partition < eventLog.partitions; partition += 1) {
    const status = await eventLog.status(partition)
    blocks += status.blocks
    bytes += status.bytes
  }
  await requireRoom(deps, bytes)
  return {
    files: Number(parts?.files ?? 0),
    bytes,
    events: Number(parts?.events ?? 0),
    blocks,
    heldMs: 0,
  }
}
