// Accounts of the address book, read and changed inside the caller's transaction. Their secrets
// leave this file encrypted, but for those who connect with them.
import { z } from 'zod'
import {
  ACCOUNT_SETTINGS,
  BOOK_ACCOUNT_KINDS,
  type BookAccountKind,
  type BookAccountSettings,
  isBookAccountKind,
  isSecretName,
  type SecretName,
} from '../../../schemas/address-book.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { BookAccountRow } from '../../database/tables.ts'
import { openSecret, type SecretKey, sealedSchema, sealSecret } from '../../secrets/secret-box.ts'
import type { SecretKeys } from '../../secrets/secret-keys.ts'
import { requireNewAccountName } from '../accounts/new-account-name.ts'
import { takeIds } from '../counters.ts'
import { findAccountUsers } from './account-users.ts'

export type BookAccount = {
  readonly id: number
  readonly kind: BookAccountKind
  readonly name: string
  readonly description: string
  readonly isEnabled: boolean
  /** Rises with every change. */
  readonly version: number
  readonly settings: BookAccountSettings
  readonly sealed: SealedSecrets
}

const sealedSecretsSchema = z.record(z.string(), sealedSchema)
type SealedSecrets = z.infer<typeof sealedSecretsSchema>
export type Secrets = { readonly [N in SecretName]?: string | undefined }

/** Of the secrets: what is undefined stays, '' is taken away. */
export type BookAccountChange = {
  readonly description?: string | undefined
  readonly isEnabled?: boolean | undefined
  readonly settings?: BookAccountSettings | undefined
  readonly secrets?: Secrets | undefined
}

/** What seals: the key in force when the command began. */
type Sealing = {
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>
  readonly keys: SecretKeys
  /** undefined: no secret is given. */
  readonly key: SecretKey | undefined
}

/** Letter case of the name does not count. */
export async function findBookAccount(
  db: Database['read'],
  name: string,
): Promise<BookAccount | undefined> {
  const row = await db
    .selectFrom('book_accounts')
    .selectAll()
    .where('name_folded', '=', foldName(name))
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Gives its name as it is spelled. Fails with object.not_found. */
export async function requireBookAccount(
  transaction: DatabaseTransaction,
  name: string,
): Promise<string> {
  const found = await findBookAccount(transaction, name)
  if (found !== undefined) return found.name
  throw new Failure('object.not_found', { kind: 'account of the address book', name })
}

export async function listBookAccounts(db: Database['read']): Promise<readonly BookAccount[]> {
  const rows = await db.selectFrom('book_accounts').selectAll().orderBy('name_folded').execute()
  return rows.map(fromRow)
}

/** Fails with object.exists, object.name_taken, object.looks_like_another, object.invalid (name),
 *  secrets.key_missing. */
export async function addBookAccount(
  transaction: DatabaseTransaction,
  sealing: Sealing,
  account: {
    readonly kind: BookAccountKind
    readonly name: string
    readonly settings: BookAccountSettings
  } & BookAccountChange,
): Promise<BookAccount> {
  const { kind, name, settings, description = '', isEnabled = true, secrets = {} } = account
  if ((await findBookAccount(transaction, name))?.kind === kind)
    throw new Failure('object.exists', { kind: BOOK_ACCOUNT_KINDS[kind], name })
  await requireNewAccountName(transaction, name)
  const id = await takeIds(transaction, 'bookAccount', 1)
  const row: BookAccountRow = {
    ...{ id, kind, name, name_folded: foldName(name), description, version: 1 },
    settings: JSON.stringify(settings),
    secrets: JSON.stringify(await sealAll(transaction, sealing, id, secrets)),
    is_enabled: isEnabled ? 1 : 0,
    changed_ms: sealing.clock.nowMs(),
  }
  await transaction.insertInto('book_accounts').values(row).execute()
  return fromRow(row)
}

/** `before` is what the caller has seen. Fails with object.changed when it is that no more,
 *  secrets.key_missing. */
export async function changeBookAccount(
  transaction: DatabaseTransaction,
  sealing: Sealing,
  before: BookAccount,
  change: BookAccountChange,
): Promise<BookAccount> {
  const { id, kind, name } = before
  const row = await transaction
    .selectFrom('book_accounts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.version !== before.version)
    throw new Failure('object.changed', { kind: BOOK_ACCOUNT_KINDS[kind], name })
  const added = await sealAll(transaction, sealing, id, change.secrets ?? {})
  const gone = Object.entries(change.secrets ?? {}).filter(([, text]) => text === '')
  const sealed = { ...before.sealed, ...added }
  for (const [field] of gone) delete sealed[field]
  const isEnabled = change.isEnabled ?? before.isEnabled
  const changed = {
    description: change.description ?? before.description,
    settings: JSON.stringify(change.settings ?? before.settings),
    secrets: JSON.stringify(sealed),
    is_enabled: isEnabled ? (1 as const) : (0 as const),
    version: before.version + 1,
    changed_ms: sealing.clock.nowMs(),
  }
  await transaction.updateTable('book_accounts').set(changed).where('id', '=', id).execute()
  return fromRow({ ...row, ...changed })
}

/** Fails with object.in_use. */
export async function removeBookAccount(
  transaction: DatabaseTransaction,
  { id, kind, name }: BookAccount,
  visibleLogs: 'all' | ReadonlySet<number>,
): Promise<void> {
  const users = await findAccountUsers(transaction, name, visibleLogs)
  if (users.length > 0)
    throw new Failure('object.in_use', {
      ...{ kind: BOOK_ACCOUNT_KINDS[kind], name },
      users: users.join(', '),
    })
  await transaction.deleteFrom('book_accounts').where('id', '=', id).execute()
}

/** For who connects with them. Fails with secrets.*. */
export function openSecrets(account: BookAccount, keys: SecretKeys): Secrets {
  const opened: { [N in SecretName]?: string } = {}
  for (const [field, sealed] of Object.entries(account.sealed)) {
    if (!isSecretName(field)) continue
    const text = openSecret(keys.find(sealed.key), placeOf(account.id, field), sealed)
    if (text === undefined) {
      const { kind, name } = account
      throw new Failure('secrets.damaged', { field, kind: BOOK_ACCOUNT_KINDS[kind], name })
    }
    opened[field] = text
  }
  return opened
}

/** All that is given is encrypted with this key; what is not given is gone. */
export async function resealAccount(
  transaction: DatabaseTransaction,
  { id, version }: BookAccount,
  given: {
    readonly secrets: Secrets
    readonly key: SecretKey
    readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>
  },
): Promise<void> {
  const secrets = JSON.stringify(sealEach(id, given))
  const changed = { secrets, version: version + 1, changed_ms: given.clock.nowMs() }
  await transaction.updateTable('book_accounts').set(changed).where('id', '=', id).execute()
}

/** Names of the secrets that are set. */
export function secretNames(account: BookAccount): readonly string[] {
  return Object.keys(account.sealed).sort()
}

async function sealAll(
  transaction: DatabaseTransaction,
  { clock, keys, key }: Sealing,
  id: number,
  secrets: Secrets,
): Promise<SealedSecrets> {
  if (Object.values(secrets).every((text) => text === undefined || text === '')) return {}
  if (key === undefined) throw new Error('secrets are given without a key')
  await keys.claim(transaction, key)
  return sealEach(id, { secrets, key, clock })
}

function sealEach(
  id: number,
  given: {
    readonly secrets: Secrets
    readonly key: SecretKey
    readonly clock: Pick<Clock, 'randomBytes'>
  },
): SealedSecrets {
  const { secrets, key, clock } = given
  const sealed: SealedSecrets = {}
  for (const [field, text] of Object.entries(secrets))
    if (text !== undefined && text !== '')
      sealed[field] = sealSecret(key, placeOf(id, field), text, clock)
  return sealed
}

function placeOf(id: number, field: string) {
  return { kind: 'account', id, field }
}

function fromRow(row: BookAccountRow): BookAccount {
  const { id, kind, name, description, version } = row
  try {
    if (!isBookAccountKind(kind)) throw new Error('a kind that this version does not know')
    return {
      ...{ id, kind, name, description, version },
      isEnabled: row.is_enabled === 1,
      settings: ACCOUNT_SETTINGS[kind].parse(JSON.parse(row.settings)),
      sealed: sealedSecretsSchema.parse(JSON.parse(row.secrets)),
    }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
