// Whether an archive can be where a command says.
import { isAbsolute } from 'node:path'
import { Failure } from '../../../schemas/failures.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { findBookAccount } from '../address-book/book-accounts.ts'
import type { ArchivePlace } from './archives.ts'

const KIND = 'archive'
const PREFIX = /^(?:[a-z0-9_-][a-z0-9._-]{0,99}(?:\/|$))*$/

/** Fails with object.invalid (archiveAccount, archiveDirectory). */
export async function requireArchivePlace(
  transaction: DatabaseTransaction,
  { account, directory }: ArchivePlace,
): Promise<void> {
  const refuse = (property: string, reason: string) =>
    new Failure('object.invalid', { kind: KIND, property, reason })
  if (account === '') {
    if (directory === '' || isAbsolute(directory)) return
    throw refuse('archiveDirectory', 'must be a whole path, from the root of the machine')
  }
  if ((await findBookAccount(transaction, account))?.kind !== 's3')
    throw refuse('archiveAccount', 'is no S3 account of the address book')
  if (!PREFIX.test(directory))
    throw refuse('archiveDirectory', 'must be a prefix in the bucket: a-z, 0-9, _, -, . and /')
}
