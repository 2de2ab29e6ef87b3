// addCollectionPolicy: makes a collection policy, or with -update changes one.
import {
  addPolicy,
  changePolicy,
} from '../../../../infra/metastore/policies/collection-policies.ts'
import { notesOnPolicy } from '../../../../schemas/collection-policy.ts'
import { addCollectionPolicy as published } from '../../../../schemas/sdk/policies/add-collection-policy.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addCollectionPolicy = serveCommand(
  published,
  ({ name, update, ...change }) =>
    async (transaction) => {
      const kept =
        update === true
          ? await changePolicy(transaction, name, change)
          : await addPolicy(transaction, name, change)
      return { id: kept.id, name: kept.name, notes: notesOnPolicy(kept) }
    },
  { hints: { 'object.exists': 'give -update true to change it' } },
)
