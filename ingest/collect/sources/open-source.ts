// What an account of the address book is read by.
import type { Clock } from '../../../infra/clock.ts'
import type { PostgresTarget } from '../../../infra/database/foreign/postgres-rows.ts'
import {
  type BookAccount,
  findBookAccount,
  openSecrets,
  type Secrets,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { HostSessions } from '../../../infra/outbound/host-sessions.ts'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import { RemoteLogeye } from '../../../infra/outbound/remote-logeye.ts'
import { S3Files } from '../../../infra/outbound/s3-files.ts'
import { SshFiles } from '../../../infra/outbound/ssh-files.ts'
import type { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { ACCOUNT_SETTINGS } from '../../../schemas/address-book.ts'
import { isFailure } from '../../../schemas/failures.ts'
import type { FileSource } from './file-source.ts'
import { filesWithin } from './local-files.ts'
import { s3Source } from './s3-source.ts'
import { sshSource } from './ssh-source.ts'

export type SourceDeps = {
  readonly metastore: Pick<OpenedMetastore, 'database'>
  readonly clock: Clock
  readonly secretKeys: SecretKeys
  /** Of all that connect. */
  readonly sessions: HostSessions
}

export type OpenedSource = {
  readonly source: FileSource
  /** Of its events. */
  readonly hostName: string
  /** Tells whether the account was changed since. */
  readonly version: number
}

const REOPEN_MS = 5000

/** Where it cannot be used, a source that says why. Fails with what the database says. */
export async function openSource(name: string, deps: SourceDeps): Promise<OpenedSource> {
  const account = await findBookAccount(deps.metastore.database.read, name)
  if (account === undefined) return broken(`there is no account ${name} in the address book`, 0)
  const { version } = account
  if (!account.isEnabled) return broken(`the account ${account.name} is disabled`, version)
  let secrets: Secrets
  try {
    secrets = openSecrets(account, deps.secretKeys)
  } catch (error) {
    if (!isFailure(error)) throw error
    return broken(`the account ${account.name}: ${error.message}`, version)
  }
  if (account.kind === 'windowsShare') return broken(shareFault(account), version)
  const made = makeSource(account, secrets, deps)
  return made === undefined
    ? broken(`the account ${account.name} is of no kind that files are read by`, version)
    : { ...made, version }
}

/** Another Logeye; undefined: of another kind, or it cannot be used, as openSource says. */
export async function openRemoteLogeye(
  name: string,
  { metastore, secretKeys }: SourceDeps,
): Promise<{ readonly remote: RemoteLogeye; readonly version: number } | undefined> {
  const account = await findBookAccount(metastore.database.read, name)
  if (account?.kind !== 'remoteProduct' || !account.isEnabled) return undefined
  try {
    const { userPassword = '' } = openSecrets(account, secretKeys)
    const target = { ...ACCOUNT_SETTINGS.remoteProduct.parse(account.settings), userPassword }
    return { remote: new RemoteLogeye(target), version: account.version }
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}

/** A Windows share that is mounted on this machine: its files are local ones. undefined: of another
 *  kind, or it cannot be used, as openSource says. */
export async function openMountedShare(
  name: string,
  { metastore }: Pick<SourceDeps, 'metastore'>,
): Promise<OpenedSource | undefined> {
  const account = await findBookAccount(metastore.database.read, name)
  if (account?.kind !== 'windowsShare' || !account.isEnabled) return undefined
  const { share, mountPath } = ACCOUNT_SETTINGS.windowsShare.parse(account.settings)
  const hostName = share.split('\\')[2] ?? ''
  if (mountPath === '') return undefined
  return { source: filesWithin(mountPath), hostName, version: account.version }
}

function shareFault({ name, settings }: BookAccount): string {
  return ACCOUNT_SETTINGS.windowsShare.parse(settings).mountPath === ''
    ? `the account ${name} is mounted nowhere: give it a -mountPath`
    : `the account ${name} is for logs alone: give the directory where it is mounted, and no account`
}

/** Fails with RemoteFault where the account cannot be used. */
export async function openDatabaseTarget(
  name: string,
  { metastore, secretKeys }: Pick<SourceDeps, 'metastore' | 'secretKeys'>,
): Promise<PostgresTarget> {
  const account = await findBookAccount(metastore.database.read, name)
  if (account?.kind !== 'database')
    throw new RemoteFault(`there is no database account ${name} in the address book`)
  if (!account.isEnabled) throw new RemoteFault(`the account ${account.name} is disabled`)
  try {
    const { userPassword: password = '' } = openSecrets(account, secretKeys)
    return { ...ACCOUNT_SETTINGS.database.parse(account.settings), password }
  } catch (error) {
    if (!isFailure(error)) throw error
    throw new RemoteFault(`the account ${account.name}: ${error.message}`)
  }
}

function makeSource(
  { kind, settings }: BookAccount,
  secrets: Secrets,
  { clock, sessions }: SourceDeps,
): Omit<OpenedSource, 'version'> | undefined {
  if (kind === 's3') {
    const target = ACCOUNT_SETTINGS.s3.parse(settings)
    const files = new S3Files({ ...target, secretKey: secrets.secretKey ?? '' }, clock)
    return { source: s3Source(files), hostName: target.bucket }
  }
  if (kind !== 'ssh') return undefined
  const target = ACCOUNT_SETTINGS.ssh.parse(settings)
  const { userPassword: password, privateKey, passphrase } = secrets
  const files = new SshFiles({ ...target, password, privateKey, passphrase }, { clock, sessions })
  return { source: sshSource(files), hostName: target.host }
}

function broken(reason: string, version: number): OpenedSource {
  const fail = () => Promise.reject(new RemoteFault(reason))
  const source: FileSource = {
    ...{ lookEveryMs: REOPEN_MS, identity: 'path', mayGoOn: () => true },
    ...{ list: fail, stat: fail, find: fail, open: fail, findPlace: fail },
    close: () => Promise.resolve(),
  }
  return { source, hostName: '', version }
}
