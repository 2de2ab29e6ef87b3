// Opens the place of an archive: a folder that is there, or the bucket of an account of the address
// book.

import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Clock } from '../../infra/clock.ts'
import type { Database } from '../../infra/database/port.ts'
import { findBookAccount, openSecrets } from '../../infra/metastore/address-book/book-accounts.ts'
import type { ArchivePlace } from '../../infra/metastore/archive/archives.ts'
import { openFolderStore } from '../../infra/objects/folder.ts'
import type { ObjectStore } from '../../infra/objects/port.ts'
import { openS3Store } from '../../infra/objects/s3.ts'
import { onDisk } from '../../infra/objects/spool.ts'
import type { SecretKeys } from '../../infra/secrets/secret-keys.ts'
import { ACCOUNT_SETTINGS } from '../../schemas/address-book.ts'
import { Failure } from '../../schemas/failures.ts'
import { trimEnd } from '../../schemas/names/trim-end.ts'

export type PlaceDeps = {
  readonly database: Pick<Database, 'read'>
  readonly keys: SecretKeys
  readonly clock: Clock
  /** Folder of its own, for what is on its way to a bucket. */
  readonly spool: string
}

/** Fails with object_store.unavailable where the folder is missing (a disk that is not mounted must
 *  not be taken for an empty one) or the account; with secrets.*. */
export async function openPlace(
  { account: name, directory }: ArchivePlace,
  { database, keys, clock, spool }: PlaceDeps,
): Promise<ObjectStore> {
  if (name === '') {
    const found = isAbsolute(directory) ? await stat(directory).catch(() => undefined) : undefined
    if (found?.isDirectory() !== true)
      throw new Failure('object_store.unavailable', { reason: 'there is no such folder' })
    // The folder for what is on its way cannot be made, or a name in it not be read.
    return await onDisk(Promise.resolve().then(() => openFolderStore(directory, clock)))
  }
  const account = await findBookAccount(database.read, name)
  if (account?.kind !== 's3' || !account.isEnabled) {
    const reason = 'its account is not in the address book, or disabled'
    throw new Failure('object_store.unavailable', { reason })
  }
  const settings = ACCOUNT_SETTINGS.s3.parse(account.settings)
  const { secretKey = '' } = openSecrets(account, keys)
  const prefix = directory === '' ? '' : `${trimEnd(directory, '/')}/`
  const target = { ...settings, secretKey, prefix }
  return await onDisk(Promise.resolve().then(() => openS3Store(target, { spool, clock })))
}
