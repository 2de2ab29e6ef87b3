// securityPolicies: adds, edits or removes a policy.
import {
  addPolicy,
  editPolicy,
  removePolicy,
} from '../../../../infra/metastore/users/policy-changes.ts'
import { securityPolicies as published } from '../../../../schemas/sdk/security/security-policies.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const securityPolicies = serveCommand(
  published,
  ({ action, policyName, ...change }) =>
    async (transaction) => {
      if (action === 'remove') {
        await removePolicy(transaction, policyName)
        return { policyName, removed: true as const }
      }
      const write = action === 'add' ? addPolicy : editPolicy
      await write(transaction, policyName, change)
      return { policyName }
    },
  { arguments: { name: 'policyName' } },
)
