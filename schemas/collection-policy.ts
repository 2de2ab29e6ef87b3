// What a collection policy says beside its name (decision 8.4), in one column of the database.
// Which of it has an effect is said by notesOnPolicy.
import { z } from 'zod'

export const CHECKSUMS = ['none', 'md5', 'sha1', 'sha256'] as const

export const collectionPolicySchema = z.object({
  description: z.string().default(''),
  /** Days that events are searchable; null: for ever. */
  storageDays: z.number().int().nullable().default(null),
  /** Null: no limit. */
  storageMaxBytes: z.number().int().nullable().default(null),
  /** Where its days lie when they are written no more; '' for the data directory of the product. */
  storageDirectory: z.string().default(''),
  /** Whole days after the day of receipt before a day goes to storageDirectory. */
  storageDirectoryDays: z.number().int().default(1),
  /** Told when the storage is full or fails; '' for nobody. */
  warningAddress: z.string().default(''),
  /** S3 account of the address book that has the archive; '' for a folder. */
  archiveAccount: z.string().default(''),
  /** Folder of the archive, or prefix in the bucket of archiveAccount; without both there is no
   *  archive. */
  archiveDirectory: z.string().default(''),
  /** Null: for ever. */
  archiveDays: z.number().int().nullable().default(null),
  archiveChecksum: z.enum(CHECKSUMS).default('none'),
  /** Where a copy of each event goes: a URL, or FORWARD_ACCOUNT and a name; '' for nowhere. */
  forwardTo: z.string().default(''),
  /** When files are collected, as cron writes it; '' for the default. */
  schedule: z.string().default(''),
})

/** Whether days are archived before they leave the store. */
export function isArchiving(
  policy: Pick<CollectionPolicy, 'archiveAccount' | 'archiveDirectory'>,
): boolean {
  return policy.archiveAccount !== '' || policy.archiveDirectory !== ''
}

export type CollectionPolicy = Readonly<z.infer<typeof collectionPolicySchema>>

/** Before the name of an alert target of the address book, whose address is a secret. */
export const FORWARD_ACCOUNT = 'account:'

/** Name of the alert target; '' where it is none. */
export function forwardAccount(forwardTo: string): string {
  return forwardTo.startsWith(FORWARD_ACCOUNT) ? forwardTo.slice(FORWARD_ACCOUNT.length) : ''
}

/** Each policy of a batch costs the writer an insert of its own. */
export const MAX_COLLECTION_POLICIES = 64

/** From a change of storageDays, storageMaxBytes or archiveDays, and from the first start after a
 *  restore, to the first event that goes by it: time to take a mistake back. */
export const RETENTION_GRACE_MS = 600_000

type NamedPolicy = {
  readonly name: string
  readonly policy: CollectionPolicy
  readonly retainsSinceMs: number | undefined
}

/** What is kept and has no effect in this version (decision 8.5): nobody is to believe that events
 *  are deleted, archived or sent on. */
export function notesOnPolicy(named: NamedPolicy | undefined): string[] {
  if (named === undefined) return []
  const { name, policy, retainsSinceMs } = named
  const isRetaining = policy.storageDays !== null || policy.storageMaxBytes !== null
  const kept: readonly (readonly [isGiven: boolean, note: string])[] = [
    [
      isRetaining && retainsSinceMs === undefined,
      'storageDays, storageMaxBytes: NOTHING IS REMOVED, since they were given to a version that did not; give them again by -update',
    ],
    [
      isArchiving(policy) && !isRetaining,
      'archiveDirectory, archiveAccount: a day is archived before it leaves the store, and none does without storageDays or storageMaxBytes',
    ],
    [
      policy.archiveDays !== null && !isArchiving(policy),
      'archiveDays: there is no archive without archiveDirectory or archiveAccount',
    ],
    [policy.schedule !== '', 'schedule: kept, but files are read as they grow'],
  ]
  return kept.filter(([isGiven]) => isGiven).map(([, note]) => `collection policy ${name}: ${note}`)
}
