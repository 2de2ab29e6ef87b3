// Ids that are never used again, and the version rows by which every process learns of a change
// (decision 2.6). Both inside the caller's write transaction: writers are serial, so versions
// become visible in order.
import { type Kysely, sql, type Transaction } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import type { ChangeArea, Tables } from '../database/tables.ts'

export type SequenceName =
  | 'folder'
  | 'log'
  | 'account'
  | 'appTag'
  | 'collectionPolicy'
  | 'user'
  | 'group'
  | 'policy'
  | 'audit'
  | 'cancel'
  | 'apiToken'
  | 'bookAccount'
  | 'task'
  | 'app'
  | 'dashboard'
  | 'expectedSilence'
  | 'savedSearch'
  | 'unitRemoval'
  | 'legalHold'
  | 'deletion'
  | 'collectedFile'
  | 'taskRun'
  | 'monitor'
  | 'alert'
  | 'alertMessage'
  | 'maintenanceWindow'
  | 'report'
  | 'archive'
  | 'thaw'
  | 'foreignEvent'

/** The first of `count` ids that follow one another. */
export async function takeIds(
  transaction: Transaction<Tables>,
  name: SequenceName,
  count: number,
): Promise<number> {
  const row = await transaction
    .updateTable('sequences')
    .set({ next: sql<number>`next + ${count}` })
    .where('name', '=', name)
    .returning('next')
    .executeTakeFirst()
  if (row === undefined) throw new Failure('database.damaged')
  return Number(row.next) - count
}

/** Raises the area's version by `step` and gives the new one. */
export async function raiseVersion(
  transaction: Transaction<Tables>,
  area: ChangeArea,
  step = 1,
): Promise<number> {
  const row = await transaction
    .updateTable('changes')
    .set({ version: sql<number>`version + ${step}` })
    .where('area', '=', area)
    .returning('version')
    .executeTakeFirst()
  if (row === undefined) throw new Failure('database.damaged')
  return Number(row.version)
}

export type Versions = Readonly<Record<ChangeArea, number>>

/** One cheap statement: a few rows of one page. */
export async function readVersions(db: Kysely<Tables>): Promise<Versions> {
  const versions: Record<ChangeArea, number> = {
    accounts: 0,
    tree: 0,
    columns: 0,
    security: 0,
    settings: 0,
    tags: 0,
    access: 0,
  }
  for (const row of await db.selectFrom('changes').select(['area', 'version']).execute())
    versions[row.area] = Number(row.version)
  return versions
}
