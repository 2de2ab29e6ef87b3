// addCollectionPolicy: makes a collection policy, or with -update changes one.
import { requireArchivePlace } from '../../../../infra/metastore/archive/require-place.ts'
import {
  addPolicy,
  type CollectionPolicyChange,
  changePolicy,
  type KeptPolicy,
} from '../../../../infra/metastore/policies/collection-policies.ts'
import { readDisks } from '../../../../infra/store/read-disks.ts'
import { notesOnPolicy, RETENTION_GRACE_MS } from '../../../../schemas/collection-policy.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { addCollectionPolicy as published } from '../../../../schemas/sdk/policies/add-collection-policy.ts'
import { type CommandTools, serveCommand } from '../../server/serve-command.ts'

export const addCollectionPolicy = serveCommand(
  published,
  async ({ name, update, ...change }, { clock, store, paths }) => {
    const directories = await readDirectories(store, change.storageDirectory)
    return async (transaction) => {
      const kept =
        update === true
          ? await changePolicy(transaction, name, change, clock)
          : await addPolicy(transaction, name, change, clock)
      const { archiveAccount: account, archiveDirectory: directory } = kept.policy
      if (change.archiveAccount !== undefined || change.archiveDirectory !== undefined) {
        await requireArchivePlace(transaction, { account, directory })
        if (account === '' && directory !== '') paths.requireCopyable('archiveDirectory', directory)
      }
      const notes = [
        ...notesOnPolicy(kept),
        ...noteOnDirectory(kept, directories),
        ...noteOnRemoval(kept, change),
        ...noteOnForwarding(kept, change),
      ]
      return { id: kept.id, name: kept.name, notes }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Undefined: not asked, or the store is away. */
async function readDirectories(
  store: CommandTools['store'],
  given: string | undefined,
): Promise<readonly string[] | undefined> {
  if (given === undefined || given === '') return undefined
  try {
    return (await readDisks(store)).slice(1).map(({ directory }) => directory)
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/** It may come later: a configuration goes from one product to another. */
function noteOnDirectory(
  { name, policy: { storageDirectory } }: KeptPolicy,
  there: readonly string[] | undefined,
): string[] {
  if (there === undefined || there.includes(storageDirectory)) return []
  const has = there.length === 0 ? 'none beside its own' : there.join(', ')
  return [
    `collection policy ${name}: storageDirectory: NO DAY GOES THERE until LOGEYE_STORE_DIRECTORIES names it; the store has ${has}`,
  ]
}

function noteOnRemoval(
  { name, policy, retainsSinceMs }: KeptPolicy,
  { storageDays, storageMaxBytes }: CollectionPolicyChange,
): string[] {
  if (storageDays === undefined && storageMaxBytes === undefined) return []
  if (policy.storageDays === null && policy.storageMaxBytes === null) return []
  const from = new Date((retainsSinceMs ?? 0) + RETENTION_GRACE_MS).toISOString()
  return [`collection policy ${name}: what it no longer keeps is REMOVED from ${from} on`]
}

function noteOnForwarding(
  { name, policy }: KeptPolicy,
  { forwardTo }: CollectionPolicyChange,
): string[] {
  if (forwardTo === undefined || policy.forwardTo === '') return []
  return [
    `collection policy ${name}: a copy of what is received from now on LEAVES the product: it is sent to ${policy.forwardTo}`,
  ]
}
