// Versions of what is said of a log whose files are read. The collector makes the next one when it
// meets a change; events name the version that they met, the writer reads it as that of an account
// whose number is the log's, below 0.
import type { Kysely, Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { type CollectSource, collectSourceSchema } from '../../../schemas/log-definition.ts'
import type { Tables } from '../../database/tables.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../accounts/account-settings.ts'
import type { TemplateCatalogue } from '../templates/template-catalogue.ts'
import { newestTemplateNumber } from '../templates/template-versions.ts'

type Read = Pick<Kysely<Tables>, 'selectFrom'>

/** The version of these settings; makes it when the newest differs. */
export async function takeSourceVersion(
  transaction: Transaction<Tables>,
  logId: number,
  source: CollectSource,
  nowMs: number,
): Promise<number> {
  const newest = await transaction
    .selectFrom('collect_sources')
    .selectAll()
    .where('log_id', '=', logId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const templates = await newestTemplateNumber(transaction)
  const settings = JSON.stringify(collectSourceSchema.parse(source))
  if (newest !== undefined && newest.settings === settings && newest.templates === templates)
    return newest.version
  const version = (newest?.version ?? 0) + 1
  await transaction
    .insertInto('collect_sources')
    .values({ log_id: logId, version, settings, templates, made_ms: nowMs })
    .execute()
  return version
}

/** Fails with object.not_found. */
export async function readSource(
  db: Read,
  logId: number,
  version: number,
): Promise<{ readonly source: CollectSource; readonly templates: number }> {
  const row = await db
    .selectFrom('collect_sources')
    .selectAll()
    .where('log_id', '=', logId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row === undefined)
    throw new Failure('object.not_found', { kind: 'log version', name: `${logId}:${version}` })
  try {
    const source = collectSourceSchema.parse(JSON.parse(row.settings))
    return { source, templates: Number(row.templates) }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}

/** As the writer and the collector need it. Fails with object.not_found. */
export async function readSourceAccount(
  db: Read,
  catalogue: TemplateCatalogue,
  logId: number,
  version: number,
): Promise<ListenerAccount> {
  const { source, templates } = await readSource(db, logId, version)
  const { folder, name, policyId, patterns, template, timeZone } = source
  return {
    ...DEFAULT_ACCOUNT_SETTINGS,
    ...{ id: -logId, version, name, isEnabled: true, parentFolder: folder, policyId },
    ...{ logNamePrefix: name, patterns, template, timeZone },
    templates: await catalogue.at(db, templates),
  }
}
