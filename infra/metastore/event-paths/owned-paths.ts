// Monitors and reports: what is sent with the rights of their owners.
import type { PathEntry, ReadPaths } from './port.ts'

export const readMonitorPaths: ReadPaths = (transaction) => readOwned(transaction, 'monitors')

export const readReportPaths: ReadPaths = (transaction) => readOwned(transaction, 'reports')

async function readOwned(
  transaction: Parameters<ReadPaths>[0],
  table: 'monitors' | 'reports',
): Promise<Map<string, PathEntry>> {
  const rows = await transaction
    .selectFrom(table)
    .select(['id', 'owner_id', 'settings', 'is_enabled'])
    .execute()
  return new Map(
    rows.map(({ id, owner_id: userId, settings, is_enabled }): [string, PathEntry] => [
      `${table} ${id}`,
      {
        mark: JSON.stringify([userId, settings, is_enabled]),
        name: table === 'monitors' ? 'a monitor' : 'a report',
        concerns: () => [{ kind: 'owner', userId }],
      },
    ]),
  )
}
