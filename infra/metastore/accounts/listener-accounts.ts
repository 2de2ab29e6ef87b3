// Changes of listener accounts, each inside the caller's write transaction. A change makes the next
// version; versions and accounts are never deleted, for events name them (decision 2.6).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import {
  type AccountSettings,
  accountSettingsSchema,
  type ListenerAccount,
} from '../../../schemas/listener-account.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { newestTemplateNumber } from '../templates/template-versions.ts'
import {
  type AccountVersionRow,
  accountFromRow,
  DEFAULT_ACCOUNT_SETTINGS,
  readSettings,
} from './account-settings.ts'
import { requireNewAccountName } from './new-account-name.ts'
import { hashToken, makeToken } from './token.ts'

/** What is undefined stays as it is, or gets its default in a new account. */
export type ListenerAccountChange = {
  readonly [K in keyof AccountSettings]?: AccountSettings[K] | undefined
} & { readonly isEnabled?: boolean | undefined }

/** The token is in the answer and nowhere else. Fails with object.exists,
 *  object.looks_like_another, object.invalid (name). */
export async function addAccount(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
  name: string,
  change: ListenerAccountChange,
): Promise<{ account: ListenerAccount; token: string }> {
  if ((await findAccount(transaction, name)) !== undefined)
    throw new Failure('object.exists', { kind: 'account', name })
  await requireNewAccountName(transaction, name)
  const { isEnabled = true, ...settings } = change
  const token = makeToken(clock)
  const id = await takeIds(transaction, 'account', 1)
  await transaction
    .insertInto('listener_accounts')
    .values({
      id,
      name,
      name_folded: foldName(name),
      token_hash: hashToken(token),
      version: 1,
      is_enabled: isEnabled ? 1 : 0,
      removed_ms: null,
    })
    .execute()
  const row = await insertVersion(transaction, clock.nowMs(), {
    id,
    name,
    version: 1,
    settings: JSON.stringify({ ...DEFAULT_ACCOUNT_SETTINGS, ...givenOnly(settings) }),
    is_enabled: isEnabled ? 1 : 0,
  })
  return { account: accountFromRow(row), token }
}

/** What is not given stays; a change that changes nothing makes no version. Fails with
 *  object.not_found. */
export async function changeAccount(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
  change: ListenerAccountChange,
): Promise<ListenerAccount> {
  const before = await requireAccount(transaction, name)
  const { isEnabled = before.is_enabled === 1, ...settings } = change
  const after: AccountVersionRow = {
    ...before,
    version: before.version + 1,
    settings: JSON.stringify({ ...readSettings(before.settings), ...givenOnly(settings) }),
    is_enabled: isEnabled ? 1 : 0,
  }
  const isSame =
    after.is_enabled === before.is_enabled &&
    after.settings === JSON.stringify(readSettings(before.settings))
  if (isSame) return accountFromRow(before)
  await transaction
    .updateTable('listener_accounts')
    .set({ version: after.version, is_enabled: isEnabled ? 1 : 0 })
    .where('id', '=', before.id)
    .execute()
  return accountFromRow(await insertVersion(transaction, clock.nowMs(), after))
}

/** Its token is refused from now on; its name is free again. Fails with object.not_found. */
export async function removeAccount(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  name: string,
): Promise<void> {
  const account = await requireAccount(transaction, name)
  await transaction
    .updateTable('listener_accounts')
    .set({ is_enabled: 0, removed_ms: clock.nowMs() })
    .where('id', '=', account.id)
    .execute()
  await raiseVersion(transaction, 'accounts')
}

/** Those that were not removed, also disabled ones. */
export async function listAccounts(
  transaction: Transaction<Tables>,
): Promise<readonly ListenerAccount[]> {
  const rows = await selectAccounts(transaction).orderBy('a.id').execute()
  return rows.map((row) => accountFromRow(row))
}

/** The old token is refused from now on, or after `overlapMs`. One that is older than the old one
 *  is refused in any case. No new version: nothing that applies to events has changed. */
export async function resetAccountToken(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
  name: string,
  overlapMs = 0,
): Promise<string> {
  const account = await requireAccount(transaction, name)
  const token = makeToken(clock)
  const old = await transaction
    .selectFrom('listener_accounts')
    .select('token_hash')
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow()
  const kept = overlapMs > 0
  await transaction
    .updateTable('listener_accounts')
    .set({
      token_hash: hashToken(token),
      old_token_hash: kept ? old.token_hash : null,
      old_token_until_ms: kept ? clock.nowMs() + overlapMs : null,
    })
    .where('id', '=', account.id)
    .execute()
  await raiseVersion(transaction, 'accounts')
  return token
}

/** Fails with object.not_found. */
export async function requireAccountId(
  transaction: Transaction<Tables>,
  name: string,
): Promise<number> {
  return (await requireAccount(transaction, name)).id
}

function givenOnly(settings: ListenerAccountChange): Partial<AccountSettings> {
  // Through JSON: it leaves out what is undefined.
  return accountSettingsSchema.partial().parse(JSON.parse(JSON.stringify(settings)))
}

async function insertVersion(
  transaction: Transaction<Tables>,
  nowMs: number,
  row: AccountVersionRow,
): Promise<AccountVersionRow> {
  await transaction
    .insertInto('listener_account_versions')
    .values({
      account_id: row.id,
      version: row.version,
      settings: row.settings,
      is_enabled: row.is_enabled === 1 ? 1 : 0,
      made_ms: nowMs,
      templates: await newestTemplateNumber(transaction),
    })
    .execute()
  await raiseVersion(transaction, 'accounts')
  return row
}

async function requireAccount(
  transaction: Transaction<Tables>,
  name: string,
): Promise<AccountVersionRow> {
  const account = await findAccount(transaction, name)
  if (account === undefined) throw new Failure('object.not_found', { kind: 'account', name })
  return account
}

/** Letter case of the name does not count. */
function findAccount(
  transaction: Transaction<Tables>,
  name: string,
): Promise<AccountVersionRow | undefined> {
  return selectAccounts(transaction).where('a.name_folded', '=', foldName(name)).executeTakeFirst()
}

function selectAccounts(transaction: Transaction<Tables>) {
  return transaction
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['a.id', 'a.name', 'v.version', 'v.settings', 'v.is_enabled'])
    .where('a.removed_ms', 'is', null)
}
