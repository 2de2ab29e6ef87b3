// App tags in memory: those that say more than their name.
import type { Kysely } from 'kysely'
import { appTagSchema, type NamedAppTag } from '../../../schemas/app-tag.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { AppTagRow, Tables } from '../../database/tables.ts'

export const NO_TAG_SETTINGS = '{}'

export function readTags(db: Kysely<Tables>): Promise<NamedAppTag[]> {
  return read(db, (rows) => rows)
}

export async function loadTags(db: Kysely<Tables>): Promise<readonly NamedAppTag[]> {
  return await read(db, (rows) => rows.filter(({ settings }) => settings !== NO_TAG_SETTINGS))
}

async function read(db: Kysely<Tables>, pick: (rows: AppTagRow[]) => AppTagRow[]) {
  const rows = await db.selectFrom('app_tags').selectAll().orderBy('name_folded').execute()
  return pick(rows).map(tagFromRow)
}

function tagFromRow({ id, name, settings }: AppTagRow): NamedAppTag {
  try {
    return { id, name, tag: appTagSchema.parse(JSON.parse(settings)) }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
