// Templates as of a number: rows that never change, so that events meet the same ones whenever they
// are read (docs/decisions/0041).
import type { Kysely } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import {
  type OwnTemplate,
  templateSettingsSchema,
} from '../../../schemas/templates/own-template.ts'
import type { Tables, TemplateVersionRow } from '../../database/tables.ts'

type Read = Pick<Kysely<Tables>, 'selectFrom'>

/** 0: there is none yet. */
export async function newestTemplateNumber(db: Read): Promise<number> {
  const row = await db
    .selectFrom('template_versions')
    .select(({ fn }) => fn.max('number').as('newest'))
    .executeTakeFirst()
  return Number(row?.newest ?? 0)
}

/** In the order in which they were made. */
export async function readOwnTemplates(db: Read, number: number): Promise<readonly OwnTemplate[]> {
  if (number === 0) return []
  const rows = await db
    .selectFrom('template_versions as v')
    .innerJoin(
      (inner) =>
        inner
          .selectFrom('template_versions')
          .select(['name_folded', ({ fn }) => fn.min('number').as('first')])
          .select(({ fn }) => fn.max('number').as('last'))
          .where('number', '<=', number)
          .groupBy('name_folded')
          .as('newest'),
      (join) => join.onRef('newest.last', '=', 'v.number'),
    )
    .select(['v.name', 'v.state', 'v.settings'])
    .where('v.state', '!=', 'removed')
    .orderBy('newest.first')
    .execute()
  return rows.map(templateFromRow)
}

export function templateFromRow(
  row: Pick<TemplateVersionRow, 'name' | 'state' | 'settings'>,
): OwnTemplate {
  try {
    const settings = templateSettingsSchema.parse(JSON.parse(row.settings))
    return { name: row.name, isEnabled: row.state === 'enabled', ...settings }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
