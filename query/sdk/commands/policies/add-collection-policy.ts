// addCollectionPolicy: makes a collection policy, or with -update changes one.
import { requireArchivePlace } from '../../../../infra/metastore/archive/require-place.ts'
import {
  addPolicy,
  type CollectionPolicyChange,
  changePolicy,
  type KeptPolicy,
} from '../../../../infra/metastore/policies/collection-policies.ts'
import { notesOnPolicy, RETENTION_GRACE_MS } from '../../../../schemas/collection-policy.ts'
import { addCollectionPolicy as published } from '../../../../schemas/sdk/policies/add-collection-policy.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addCollectionPolicy = serveCommand(
  published,
  ({ name, update, ...change }, { clock }) =>
    async (transaction) => {
      const kept =
        update === true
          ? await changePolicy(transaction, name, change, clock)
          : await addPolicy(transaction, name, change, clock)
      const { archiveAccount: account, archiveDirectory: directory } = kept.policy
      if (change.archiveAccount !== undefined || change.archiveDirectory !== undefined)
        await requireArchivePlace(transaction, { account, directory })
      const notes = [
        ...notesOnPolicy(kept),
        ...noteOnRemoval(kept, change),
        ...noteOnForwarding(kept, change),
      ]
      return { id: kept.id, name: kept.name, notes }
    },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

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
