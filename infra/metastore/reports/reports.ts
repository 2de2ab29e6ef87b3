// Reports as they stand in the database, read and changed inside the caller's transaction. Whoever
// is neither owner nor administrator is told that there is none: its saved search has a name of
// somebody's own.
import type { Kysely } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import {
  DEFAULT_REPORT,
  type ReportSettings,
  reportSettings,
} from '../../../schemas/reports/report.ts'
import type { UserRecord } from '../../../schemas/users.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { ReportRow } from '../../database/rows/report-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'

const MAX_REPORTS = 1000
const KIND = 'report'

export type Report = {
  readonly id: number
  readonly name: string
  readonly ownerId: number
  readonly isEnabled: boolean
  readonly version: number
  readonly settings: ReportSettings
  readonly changedMs: number
  readonly lastDueMs: number
}

export type ReportViewer = Pick<UserRecord, 'id' | 'isAdministrator'>

export type GivenSettings = {
  readonly [P in keyof ReportSettings]?: ReportSettings[P] | undefined
}

/** What is undefined stays, or gets its default in a new report. */
type ReportChange = {
  readonly ownerId?: number | undefined
  readonly isEnabled?: boolean | undefined
  readonly settings: GivenSettings
}

/** Without a viewer: all. */
export async function listReports(
  db: Kysely<Tables>,
  viewer?: ReportViewer,
): Promise<readonly Report[]> {
  const rows = await db.selectFrom('reports').selectAll().orderBy('name_folded').execute()
  const reports = rows.map(reportOf)
  return viewer === undefined ? reports : reports.filter((one) => isOwn(one, viewer))
}

/** Fails with object.not_found, also where it is somebody else's. */
export async function requireReport(
  db: Kysely<Tables>,
  name: string,
  viewer: ReportViewer,
): Promise<Report> {
  const row = await db
    .selectFrom('reports')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
  const report = row && reportOf(row)
  if (report === undefined || !isOwn(report, viewer))
    throw new Failure('object.not_found', { kind: KIND, name })
  return report
}

/** Fails with object.exists, object.looks_like_another, object.invalid (name), object.too_many. */
export async function addReport(
  transaction: DatabaseTransaction,
  {
    name,
    ownerId,
    isEnabled = true,
    settings,
  }: ReportChange & { readonly name: string; readonly ownerId: number },
  nowMs: number,
): Promise<Report> {
  const others = await transaction.selectFrom('reports').select(['name', 'name_folded']).execute()
  if (others.some((it) => it.name_folded === foldName(name)))
    throw new Failure('object.exists', { kind: KIND, name })
  if (others.length >= MAX_REPORTS)
    throw new Failure('object.too_many', { kind: KIND, max: MAX_REPORTS })
  requireNameCharacters(KIND, name)
  refuseAlike(KIND, name, others)
  const row: ReportRow = {
    ...{ id: await takeIds(transaction, 'report', 1), name, name_folded: foldName(name) },
    ...{ owner_id: ownerId, settings: merge(DEFAULT_REPORT, settings) },
    ...{ is_enabled: isEnabled ? 1 : 0, version: 1, changed_ms: nowMs, last_due_ms: nowMs },
  }
  await transaction.insertInto('reports').values(row).execute()
  return reportOf(row)
}

/** Another schedule counts from now on, and so does what is enabled again. What is disabled is not
 *  sent any more, though it was begun. */
export async function changeReport(
  transaction: DatabaseTransaction,
  before: Report,
  change: ReportChange,
  nowMs: number,
): Promise<Report> {
  const isEnabled = change.isEnabled ?? before.isEnabled
  const { schedule, timeZone } = change.settings
  const isOther =
    (schedule !== undefined && schedule !== before.settings.schedule) ||
    (timeZone !== undefined && timeZone !== before.settings.timeZone)
  const begins = isEnabled && !before.isEnabled
  const row = await transaction
    .updateTable('reports')
    .set({
      ...{ owner_id: change.ownerId ?? before.ownerId },
      settings: merge(before.settings, change.settings),
      ...{ is_enabled: isEnabled ? 1 : 0, version: before.version + 1, changed_ms: nowMs },
      last_due_ms: begins || isOther ? nowMs : before.lastDueMs,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!isEnabled && before.isEnabled) await giveUpRuns(transaction, before.id, nowMs)
  return reportOf(row)
}

/** With its runs. */
export async function removeReport(
  transaction: DatabaseTransaction,
  { id }: Pick<Report, 'id'>,
): Promise<void> {
  await transaction.deleteFrom('report_deliveries').where('report_id', '=', id).execute()
  await transaction.deleteFrom('report_runs').where('report_id', '=', id).execute()
  await transaction.deleteFrom('reports').where('id', '=', id).execute()
}

/** `2 reports`, for what names an alert target. */
export async function findTargetReports(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
  target: string,
): Promise<readonly string[]> {
  const folded = foldName(target)
  const rows = await transaction.selectFrom('reports').selectAll().execute()
  const count = rows.filter((row) =>
    reportOf(row).settings.targets.some((name) => foldName(name) === folded),
  ).length
  return count === 0 ? [] : [`${count} report${count === 1 ? '' : 's'}`]
}

async function giveUpRuns(
  transaction: DatabaseTransaction,
  reportId: number,
  nowMs: number,
): Promise<void> {
  const reason = 'the report was disabled'
  await transaction
    .updateTable('report_deliveries')
    .set({ state: 'failed', next_ms: null, failure: reason })
    .where('report_id', '=', reportId)
    .where('state', '=', 'pending')
    .execute()
  await transaction
    .updateTable('report_runs')
    .set({ state: 'failed', reason, ended_ms: nowMs })
    .where('report_id', '=', reportId)
    .where('state', '=', 'begun')
    .execute()
}

function isOwn({ ownerId }: Report, { id, isAdministrator }: ReportViewer): boolean {
  return isAdministrator || ownerId === id
}

function merge(before: object, change: object): string {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return JSON.stringify(reportSettings.parse({ ...before, ...Object(given) }))
}

/** Fails with database.damaged. */
function reportOf(row: ReportRow): Report {
  try {
    return {
      ...{ id: Number(row.id), name: row.name, ownerId: Number(row.owner_id) },
      ...{ isEnabled: row.is_enabled === 1, version: Number(row.version) },
      settings: reportSettings.parse(JSON.parse(row.settings)),
      ...{ changedMs: Number(row.changed_ms), lastDueMs: Number(row.last_due_ms) },
    }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
