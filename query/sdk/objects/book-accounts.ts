// Accounts of the address book, a type for each kind. Their secrets are named, never told.
import {
  type BookAccount,
  listBookAccounts,
  secretNames,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import {
  ACCOUNT_SETTINGS,
  type BookAccountKind,
  type BookAccountSettings,
} from '../../../schemas/address-book.ts'
import type { ObjectArguments, ObjectKind } from './object-kind.ts'
import { printList } from './print-values.ts'

export const sshAccount = kindOf(
  { type: 'sshAccount', command: 'addSSHAccount', kind: 'ssh' },
  ({ settings }) => {
    const { port, ...texts } = ACCOUNT_SETTINGS.ssh.parse(settings)
    return { ...texts, port: String(port) }
  },
)

export const remoteProductAccount = kindOf(
  { type: 'remoteProductAccount', command: 'addRemoteProductAccount', kind: 'remoteProduct' },
  ({ settings }) => {
    const { certificate, ...texts } = ACCOUNT_SETTINGS.remoteProduct.parse(settings)
    return { ...texts, certificateFile: certificate }
  },
)

export const externalAccount = kindOf(
  { type: 'externalAccount', command: 'addExternalAccount', kind: 's3' },
  ({ settings }) => ({ type: 's3', ...ACCOUNT_SETTINGS.s3.parse(settings) }),
)

export const windowsShareAccount = kindOf(
  { type: 'windowsShareAccount', command: 'addWindowsShareAccount', kind: 'windowsShare' },
  ({ settings }) => ACCOUNT_SETTINGS.windowsShare.parse(settings),
)

export const databaseAccount = kindOf(
  { type: 'databaseAccount', command: 'addDatabaseAccount', kind: 'database' },
  ({ settings }) => {
    const { certificate, port, isTls, ...texts } = ACCOUNT_SETTINGS.database.parse(settings)
    return { ...texts, port: String(port), tls: String(isTls), certificateFile: certificate }
  },
)

export const alertTarget = kindOf(
  { type: 'alertTarget', command: 'addAlertTarget', kind: 'alertTarget' },
  ({ settings }) => {
    const { type, to, digest, timeZone } = ACCOUNT_SETTINGS.alertTarget.parse(settings)
    return { type, to: printList(to), digest, timeZone }
  },
)

function kindOf(
  { kind, ...what }: Pick<ObjectKind, 'type' | 'command'> & { readonly kind: BookAccountKind },
  describe: (account: { readonly settings: BookAccountSettings }) => ObjectArguments,
): ObjectKind {
  return {
    ...what,
    nameOf: ({ name = '' }) => name.trim(),
    rename: (given, newName) => ({ ...given, name: newName }),
    readAll: async (transaction) =>
      (await listBookAccounts(transaction))
        .filter((account) => account.kind === kind)
        .map((account) => ({
          name: account.name,
          arguments: { ...commonOf(account), ...describe(account) },
          secrets: secretNames(account).map((name) => ARGUMENT_OF[name] ?? name),
        })),
    removal: { command: 'removeAccount', arguments: (name) => ({ name }) },
  }
}

/** Where it is not named like the argument that gives it. */
const ARGUMENT_OF: Readonly<Record<string, string>> = { privateKey: 'privateKeyFile' }

function commonOf({ name, description, isEnabled }: BookAccount): ObjectArguments {
  return { name, description, enabled: String(isEnabled) }
}
