// Changes of templates, each inside the caller's write transaction. Each is a new row, and makes
// the next version of every listener account: what was received before keeps the templates that it
// met (decision 2.6, docs/decisions/0041).
import { sql, type Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import type { OwnTemplate, TemplateSettings } from '../../../schemas/templates/own-template.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables, TemplateVersionRow } from '../../database/tables.ts'
import { readSettings } from '../accounts/account-settings.ts'
import { raiseVersion } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'
import { findTaskUsers } from '../tasks/task-users.ts'
import { newestTemplateNumber, readOwnTemplates, templateFromRow } from './template-versions.ts'

/** What is undefined stays as it is. */
export type TemplateChange = {
  readonly [K in keyof TemplateSettings]?: TemplateSettings[K] | undefined
} & { readonly isEnabled?: boolean | undefined }

/** Fails with object.exists, object.looks_alike, object.invalid (name). */
export async function addTemplate(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
  {
    isEnabled = true,
    ...settings
  }: TemplateSettings & { readonly isEnabled?: boolean | undefined },
): Promise<OwnTemplate> {
  const own = await ownTemplates(transaction)
  if (named(own, name) !== undefined) throw new Failure('object.exists', { kind: 'template', name })
  requireNameCharacters('template', name)
  const others = own.map((one) => ({ name: one.name, name_folded: foldName(one.name) }))
  refuseAlike('template', name, others)
  return insertVersion(transaction, clock, name, isEnabled ? 'enabled' : 'disabled', settings)
}

/** A change that changes nothing makes no version. Fails with object.not_found. */
export async function changeTemplate(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
  change: TemplateChange,
): Promise<OwnTemplate> {
  const before = await requireOwnTemplate(transaction, name)
  const after = {
    description: change.description ?? before.description,
    logTypes: change.logTypes ?? before.logTypes,
    patterns: change.patterns ?? before.patterns,
    maskRules: change.maskRules ?? before.maskRules,
  }
  const { isEnabled = before.isEnabled } = change
  if (JSON.stringify({ ...before, ...after, isEnabled }) === JSON.stringify(before)) return before
  return insertVersion(transaction, clock, before.name, isEnabled ? 'enabled' : 'disabled', after)
}

/** A built-in one of its name is in force again. Fails with object.not_found; with object.in_use
 *  where a listener account or a task names it. */
export async function removeTemplate(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
): Promise<void> {
  const { name: spelled, isEnabled: _, ...settings } = await requireOwnTemplate(transaction, name)
  const user = await findUser(transaction, spelled)
  if (user !== undefined)
    throw new Failure('object.in_use', { kind: 'template', name: spelled, users: user })
  await insertVersion(transaction, clock, spelled, 'removed', settings)
}

/** Own templates, in the order in which they were made. */
export async function ownTemplates(
  transaction: Pick<Transaction<Tables>, 'selectFrom'>,
): Promise<readonly OwnTemplate[]> {
  return readOwnTemplates(transaction, await newestTemplateNumber(transaction))
}

async function requireOwnTemplate(
  transaction: Transaction<Tables>,
  name: string,
): Promise<OwnTemplate> {
  const found = named(await ownTemplates(transaction), name)
  if (found === undefined) throw new Failure('object.not_found', { kind: 'template', name })
  return found
}

function named(own: readonly OwnTemplate[], name: string): OwnTemplate | undefined {
  const folded = foldName(name)
  return own.find((one) => foldName(one.name) === folded)
}

/** The listener account that applies it to its lines, or tasks that are to. */
async function findUser(
  transaction: Transaction<Tables>,
  name: string,
): Promise<string | undefined> {
  const accounts = await transaction
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['a.name', 'v.settings'])
    .where('a.removed_ms', 'is', null)
    .execute()
  const folded = foldName(name)
  const user = accounts.find(
    ({ settings }) => foldName(readSettings(settings).template ?? '') === folded,
  )
  if (user !== undefined) return `the listener account ${user.name}`
  const tasks = await findTaskUsers(transaction, { template: name })
  return tasks.length === 0 ? undefined : tasks.join(', ')
}

async function insertVersion(
  transaction: Transaction<Tables>,
  { nowMs }: Pick<Clock, 'nowMs'>,
  name: string,
  state: TemplateVersionRow['state'],
  settings: TemplateSettings,
): Promise<OwnTemplate> {
  const { description, logTypes, patterns, maskRules } = settings
  const madeMs = nowMs()
  const row: TemplateVersionRow = {
    number: (await newestTemplateNumber(transaction)) + 1,
    name,
    name_folded: foldName(name),
    state,
    settings: JSON.stringify({ description, logTypes, patterns, maskRules }),
    made_ms: madeMs,
  }
  await transaction.insertInto('template_versions').values(row).execute()
  await raiseAccounts(transaction, row.number, madeMs)
  return templateFromRow(row)
}

/** Two statements, however many accounts there are. */
async function raiseAccounts(
  transaction: Transaction<Tables>,
  number: number,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto('listener_account_versions')
    .columns(['account_id', 'version', 'settings', 'is_enabled', 'made_ms', 'templates'])
    .expression((from) =>
      from
        .selectFrom('listener_accounts as a')
        .innerJoin('listener_account_versions as v', (join) =>
          join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
        )
        .select(({ ref }) => [
          'a.id as account_id',
          sql<number>`${ref('a.version')} + 1`.as('version'),
          'v.settings',
          'v.is_enabled',
          sql<number>`CAST(${nowMs} AS BIGINT)`.as('made_ms'),
          sql<number>`CAST(${number} AS INTEGER)`.as('templates'),
        ])
        .where('a.removed_ms', 'is', null),
    )
    .execute()
  await transaction
    .updateTable('listener_accounts')
    .set({ version: sql<number>`version + 1` })
    .where('removed_ms', 'is', null)
    .execute()
  await raiseVersion(transaction, 'accounts')
}
