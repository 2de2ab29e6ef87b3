// Policies: what users and groups that have one may do.
import { readTextList } from '../../../infra/metastore/json-list.ts'
import { PATTERN_SEPARATOR } from '../../../schemas/sdk/sample.ts'
import type { ObjectKind } from './object-kind.ts'
import { printList } from './print-values.ts'

export const policy: ObjectKind = {
  type: 'policy',
  command: 'securityPolicies',
  make: { action: 'add' },
  change: { action: 'edit' },
  nameOf: ({ policyName = '' }) => policyName.trim(),
  rename: (given, newName) => ({ ...given, policyName: newName }),
  readAll: async (transaction) => {
    const rows = await transaction.selectFrom('policies').selectAll().orderBy('id').execute()
    return rows.map((row) => ({
      name: row.name,
      arguments: {
        policyName: row.name,
        displayName: row.display_name,
        description: row.description,
        operations: printList(readTextList(row.operations)),
        masks: readTextList(row.masks ?? '[]').join(PATTERN_SEPARATOR),
      },
      ...(row.is_fixed === 1 ? { origin: 'product' as const } : {}),
    }))
  },
  removal: {
    command: 'securityPolicies',
    arguments: (name) => ({ action: 'remove', policyName: name }),
  },
}
