// Collection policies.
import {
  listPolicies,
  removePolicy,
} from '../../../infra/metastore/policies/collection-policies.ts'
import type { CollectionPolicy } from '../../../schemas/collection-policy.ts'
import type { ObjectArguments, ObjectKind } from './object-kind.ts'

const DEFAULT_POLICY_ID = 1

export const collectionPolicy: ObjectKind = {
  type: 'collectionPolicy',
  command: 'addCollectionPolicy',
  nameOf: ({ name = '' }) => name.trim(),
  rename: (given, newName) => ({ ...given, name: newName }),
  readAll: async (transaction) =>
    (await listPolicies(transaction)).map(({ id, name, policy }) => {
      const described = { name, arguments: describe(name, policy) }
      return id === DEFAULT_POLICY_ID ? { ...described, origin: 'product' } : described
    }),
  removal: {
    remove: (transaction, name, nowMs, viewer) =>
      removePolicy(transaction, { nowMs: () => nowMs }, name, viewer.logs),
  },
}

function describe(name: string, policy: CollectionPolicy): ObjectArguments {
  const number = (value: number | null) => (value === null ? '' : String(value))
  return {
    name,
    description: policy.description,
    storageDays: number(policy.storageDays),
    storageMaxBytes: number(policy.storageMaxBytes),
    storageDirectory: policy.storageDirectory,
    storageDirectoryDays: String(policy.storageDirectoryDays),
    warningAddress: policy.warningAddress,
    archiveAccount: policy.archiveAccount,
    archiveDirectory: policy.archiveDirectory,
    archiveDays: number(policy.archiveDays),
    archiveChecksum: policy.archiveChecksum,
    forwardTo: policy.forwardTo,
    schedule: policy.schedule,
  }
}
