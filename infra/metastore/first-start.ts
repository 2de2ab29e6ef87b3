// The first start (decision 1.5): user admin and listener account Default, whose secrets are
// printed once; and the functions by which somebody on the machine makes new ones.
import { readSetting } from '../../schemas/settings.ts'
import { ADMIN_USER_NAME, GROUP_ADMINISTRATORS } from '../../schemas/users.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import { addAccount, resetAccountToken } from './accounts/listener-accounts.ts'
import { insertAudit } from './audit/audit-writer.ts'
import { seed } from './seed.ts'
import { hashPassword } from './users/password.ts'
import { addUser, editUser } from './users/user-changes.ts'

const DEFAULT_ACCOUNT_NAME = 'Default'

type Options = {
  readonly database: Database
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>
}

export type FirstSecrets = { readonly adminPassword: string; readonly token: string }

/** Null when it was done before, also by another process at the same moment: only one gets the
 *  secrets. */
export async function runFirstStart({ database, clock }: Options): Promise<FirstSecrets | null> {
  await seed(database, clock)
  if (await hasUsers(database.read)) return null
  const adminPassword = makePassword(clock)
  const passwordHash = await hashPassword(adminPassword, clock)
  return await database.write(async (transaction) => {
    if (await hasUsers(transaction)) return null
    await addUser(transaction, ADMIN_USER_NAME, {
      passwordHash,
      groups: [GROUP_ADMINISTRATORS.name],
    })
    const { token } = await addAccount(transaction, clock, DEFAULT_ACCOUNT_NAME, {})
    return { adminPassword, token }
  })
}

/** A new password for the user, who is enabled with it. Fails with object.not_found. */
export async function resetPassword(options: Options & { userName: string }): Promise<string> {
  const { database, clock, userName } = options
  const password = makePassword(clock)
  const passwordHash = await hashPassword(password, clock)
  await database.write(async (transaction) => {
    await editUser(transaction, userName, { passwordHash, isEnabled: true })
    await audit(transaction, clock, { action: 'machine.resetPassword', target: userName })
  })
  return password
}

/** A new token for the listener account; the old one is refused within 1 s. Fails with
 *  object.not_found. */
export async function resetToken(options: Options & { accountName: string }): Promise<string> {
  const { database, clock, accountName } = options
  return await database.write(async (transaction) => {
    const token = await resetAccountToken(transaction, clock, accountName)
    await audit(transaction, clock, { action: 'machine.resetToken', target: accountName })
    return token
  })
}

function audit(
  transaction: Parameters<typeof insertAudit>[0],
  clock: Pick<Clock, 'nowMs'>,
  what: { action: string; target: string },
): Promise<void> {
  const entry = { userId: null, userName: '', address: 'local', result: 'done', ...what }
  return insertAudit(transaction, [{ entry, atMs: clock.nowMs() }])
}

/** Removed users count: an emptied product is no new one. */
export async function hasUsers(db: Database['read']): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** As of now, without a metastore. */
export async function readIsSecurityOn(database: Database): Promise<boolean> {
  const settings = database.read.selectFrom('settings').select('value')
  const row = await settings.where('name', '=', 'system.security').executeTakeFirst()
  return readSetting('system.security', row?.value)
}

/** 32 letters and digits that nobody mistakes for another: five random bits each, 120 in all. */
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 24

function makePassword(clock: Pick<Clock, 'randomBytes'>): string {
  return [...clock.randomBytes(PASSWORD_LENGTH)].map((byte) => PASSWORD_LETTERS[byte % 32]).join('')
}
