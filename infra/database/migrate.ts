// Numbered migrations, each in one transaction together with the row that records it, so that two
// processes that start at once apply it once and a kill in the middle leaves nothing of it.
import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { metastoreTables } from './migrations/001-metastore.ts'
import { searchResultTables } from './migrations/002-search-results.ts'
import { resultsOfUsers } from './migrations/003-results-of-users.ts'
import { leaseTable } from './migrations/004-leases.ts'
import { sharedKeyTable } from './migrations/005-shared-keys.ts'
import { eventLogTable } from './migrations/006-event-logs.ts'
import { storeDamageTables } from './migrations/007-store-damage.ts'
import { listeningNodeTable } from './migrations/008-listening-nodes.ts'
import { replayedEventTable } from './migrations/009-replayed-events.ts'
import { configurationObjects } from './migrations/010-configuration-objects.ts'
import { policiesAndTags } from './migrations/011-policies-and-tags.ts'
import { accessTables } from './migrations/012-access.ts'
import { templateTables } from './migrations/013-templates.ts'
import { lifecycleTables } from './migrations/014-lifecycle.ts'
import { groupsAndEditors } from './migrations/015-groups-and-editors.ts'
import { addressBook } from './migrations/016-address-book.ts'
import { declaredNodes } from './migrations/017-declared-nodes.ts'
import { taskTable } from './migrations/018-tasks.ts'
import { auditCopyTable } from './migrations/019-audit-copies.ts'
import { heartbeatTables } from './migrations/020-heartbeat.ts'
import { dashboardTables } from './migrations/021-dashboards.ts'
import { savedSearchTable } from './migrations/022-saved-searches.ts'
import { retentionTables } from './migrations/023-retention.ts'
import { deletionTable } from './migrations/024-deletions.ts'
import { viewMasks } from './migrations/025-view-masks.ts'
import { accountLimits } from './migrations/026-account-limits.ts'
import { monitorTables } from './migrations/027-monitors.ts'
import { alertMessageTables } from './migrations/028-alert-messages.ts'
import { silenceTables } from './migrations/029-silences.ts'
import { collectedFileTables } from './migrations/030-collected-files.ts'
import { taskRunTable } from './migrations/031-task-runs.ts'
import { archiveTables } from './migrations/036-archives.ts'
import { storageWarnings } from './migrations/037-storage-warnings.ts'
import { evidenceTables } from './migrations/040-evidence.ts'
import { fileMarks } from './migrations/044-file-marks.ts'
import { forwardPositions } from './migrations/045-forward-positions.ts'
import { syncedFileTables } from './migrations/047-synced-files.ts'
import { escalatedAlerts } from './migrations/051-escalated-alerts.ts'
import { collectMarks } from './migrations/052-collect-marks.ts'
import { reportTables } from './migrations/053-reports.ts'
import { monitorKindTables } from './migrations/054-monitor-kinds.ts'
import { forwardStarts } from './migrations/055-forward-starts.ts'
import { archiveDeletions } from './migrations/056-archive-deletions.ts'
import { markGenerations } from './migrations/057-mark-generations.ts'
import { alertRules } from './migrations/058-alert-rules.ts'
import { whatAlertsSaw } from './migrations/059-what-alerts-saw.ts'
import type { Migration } from './migrations/migration.ts'
import type { Database } from './port.ts'

export const MIGRATIONS: readonly Migration[] = [
  metastoreTables,
  searchResultTables,
  resultsOfUsers,
  leaseTable,
  sharedKeyTable,
  eventLogTable,
  storeDamageTables,
  listeningNodeTable,
  replayedEventTable,
  configurationObjects,
  policiesAndTags,
  accessTables,
  templateTables,
  lifecycleTables,
  groupsAndEditors,
  addressBook,
  declaredNodes,
  taskTable,
  auditCopyTable,
  heartbeatTables,
  dashboardTables,
  savedSearchTable,
  retentionTables,
  deletionTable,
  viewMasks,
  accountLimits,
  monitorTables,
  alertMessageTables,
  silenceTables,
  collectedFileTables,
  taskRunTable,
  archiveTables,
  storageWarnings,
  evidenceTables,
  fileMarks,
  forwardPositions,
  syncedFileTables,
  escalatedAlerts,
  collectMarks,
  reportTables,
  monitorKindTables,
  forwardStarts,
  archiveDeletions,
  markGenerations,
  alertRules,
  whatAlertsSaw,
]

/** Applies what is missing. Fails with database.newer when a later version of the product has been
 *  here. */
export async function migrate<Of>(
  database: Pick<Database<Of>, 'write'>,
  clock: Pick<Clock, 'nowMs'>,
  migrations: readonly Migration[],
): Promise<void> {
  for (const migration of migrations) {
    await database.write(async (transaction) => {
      const applied = await appliedNumbers(transaction)
      const newest = migrations.at(-1)?.number ?? 0
      if (applied.some((number) => number > newest)) throw new Failure('database.newer')
      if (applied.includes(migration.number)) return
      await migration.apply(withoutTables(transaction))
      const { number, name } = migration
      await sql`insert into migrations (number, name, applied_ms)
        values (${number}, ${name}, ${clock.nowMs()})`.execute(transaction)
    })
  }
}

/** Nothing is missing: whoever starts beside many others need not wait for a turn to write nothing.
 *  False also when nobody can say yet. */
export async function isMigrated(
  db: QueryExecutorProvider,
  migrations: readonly Migration[],
): Promise<boolean> {
  try {
    const { rows } = await sql<{ number: number }>`select number from migrations`.execute(db)
    const applied = new Set(rows.map((row) => Number(row.number)))
    return applied.size === migrations.length && migrations.every((it) => applied.has(it.number))
  } catch {
    return false
  }
}

async function appliedNumbers<Of>(transaction: Transaction<Of>): Promise<number[]> {
  await transaction.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('applied_ms', 'bigint', (c) => c.notNull())
    .execute()
  const rows = await sql<{ number: number }>`select number from migrations`.execute(transaction)
  return rows.rows.map((row) => Number(row.number))
}

/** A migration knows no table type: the types describe the newest shape, not the one it meets. */
function withoutTables<Of>(transaction: Transaction<Of>): Kysely<unknown> {
  return transaction as unknown as Kysely<unknown>
}
