// Latest results of dashboards, one for each set of logs that viewers may view
// (docs/decisions/0073): a result is read by those only who may view exactly the logs that it was
// made from.
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { DashboardResultRow } from '../../database/rows/dashboard-tables.ts'
import type { Tables } from '../../database/tables.ts'

/** Of each dashboard; the ones that were asked for last stay. */
const MAX_RESULTS = 16

export type VisibleLogs = 'all' | ReadonlySet<number>

export type StoredResult = {
  readonly generatedMs: number
  /** JSON of schemas/dashboards/result.ts. */
  readonly result: string
}

/** Its scope, and the highest id of a log at that moment: later logs take nothing away. */
export type ResultScope = { readonly scope: string; readonly lastLogId: number }

export function scopeOf(visible: VisibleLogs, lastLogId: number): ResultScope {
  if (visible === 'all') return { scope: 'all', lastLogId }
  const ids = [...visible].filter((id) => id <= lastLogId).sort((a, b) => a - b)
  return { scope: createHash('sha256').update(ids.join(',')).digest('hex'), lastLogId }
}

/** Versions of what a result was made of. */
export function madeOf(
  app: { readonly version: number },
  dashboard: { readonly version: number },
): string {
  return `${app.version}.${dashboard.version}`
}

export type ResultQuestion = {
  readonly dashboardId: number
  /** Versions of app and dashboard: what was made of others is no result any more. */
  readonly madeOf: string
  readonly visible: VisibleLogs
}

export async function findResult(
  db: Kysely<Tables>,
  { dashboardId, madeOf, visible }: ResultQuestion,
): Promise<StoredResult | undefined> {
  const rows = await db
    .selectFrom('dashboard_results')
    .selectAll()
    .where('dashboard_id', '=', dashboardId)
    .where('made_of', '=', madeOf)
    .orderBy('generated_ms', 'desc')
    .execute()
  const found = rows.find((row) => isOf(row, visible))
  return found && { generatedMs: found.generated_ms, result: found.result }
}

/** The same logs, and none that has been removed or hidden since. */
export function isOf(
  { scope, last_log_id }: Pick<DashboardResultRow, 'scope' | 'last_log_id'>,
  visible: VisibleLogs,
): boolean {
  return scopeOf(visible, last_log_id).scope === scope
}

/** Takes the place of every result of the same logs; results of other versions go. */
export async function keepResult(
  transaction: DatabaseTransaction,
  row: DashboardResultRow,
): Promise<void> {
  const { dashboard_id, made_of, scope } = row
  const isThere = await transaction
    .selectFrom('dashboards')
    .select('id')
    .where('id', '=', dashboard_id)
    .executeTakeFirst()
  if (isThere === undefined) return
  const own = () =>
    transaction.deleteFrom('dashboard_results').where('dashboard_id', '=', dashboard_id)
  await own().where('made_of', '!=', made_of).execute()
  await own().where('scope', '=', scope).execute()
  await transaction.insertInto('dashboard_results').values(row).execute()
  const kept = await transaction
    .selectFrom('dashboard_results')
    .select('scope')
    .where('dashboard_id', '=', dashboard_id)
    .orderBy('asked_ms', 'desc')
    .execute()
  const over = kept.slice(MAX_RESULTS).map((one) => one.scope)
  if (over.length > 0) await own().where('scope', 'in', over).execute()
}

/** Somebody has asked for it: the schedule goes on making it. */
export async function noteAsked(
  transaction: DatabaseTransaction,
  dashboardId: number,
  askedMs: number,
  visible: VisibleLogs,
): Promise<void> {
  const rows = await transaction
    .selectFrom('dashboard_results')
    .select(['scope', 'last_log_id'])
    .where('dashboard_id', '=', dashboardId)
    .execute()
  const scopes = rows.filter((row) => isOf(row, visible)).map(({ scope }) => scope)
  if (scopes.length === 0) return
  await transaction
    .updateTable('dashboard_results')
    .set({ asked_ms: askedMs })
    .where('dashboard_id', '=', dashboardId)
    .where('scope', 'in', scopes)
    .execute()
}
