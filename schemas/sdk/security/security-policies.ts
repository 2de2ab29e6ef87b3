// Adds, edits or removes a policy.
import { z } from 'zod'
import { viewMasksValue } from '../../masking/view-masks.ts'
import { isOperation, type Operation, objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { displayNameValue, listValue, textValue } from '../values.ts'

const operationsValue = listValue.transform((texts, context): Operation[] => {
  const unknown = texts.find((text) => !isOperation(text))
  if (unknown === undefined) return texts.filter(isOperation)
  context.addIssue({
    code: 'custom',
    message: `there is no operation ${JSON.stringify(unknown)}; the manual lists them`,
  })
  return z.NEVER
})

export const securityPolicies = {
  name: 'securityPolicies',
  help: 'Adds, edits or removes a policy: what users and groups that have it may do. Its name cannot be changed later.',
  operation: 'system.security',
  sees: {
    kind: 'nothing',
    because:
      'nobody gives or takes rights beyond the own, and nobody takes a mask away from events that he may not view',
  },
  target: 'policyName',
  input: z.strictObject({
    action: argument(z.enum(['add', 'edit', 'remove'], 'must be add, edit or remove'), {
      description: 'edit changes what is given; a policy in use is not removed',
      hint: 'add|edit|remove',
    }),
    policyName: argument(objectNameSchema, {
      description: 'name of the policy; letter case does not tell two apart',
      hint: '<name>',
    }),
    displayName: argument(displayNameValue.optional(), {
      description: 'name to show; default the name',
      hint: '<text>',
    }),
    description: argument(textValue.optional(), {
      description: 'what the policy is for',
      hint: '<text>',
    }),
    operations: argument(operationsValue.optional(), {
      description:
        'what it allows, of the permission tree below; a parent allows all below it; empty: view folders and logs, nothing else',
      hint: 'a,b',
    }),
    masks: argument(viewMasksValue.optional(), {
      description:
        'what it hides of events from those who have it, @#@# between them: email, card, ipv4, ipv6, bearer, iban, phone, column <name> (at every depth, in arrays and in texts that hold JSON) or pattern <pattern>; empty for nothing',
      hint: 'email@#@#column user.password',
    }),
  }),
  answer: z.strictObject({ policyName: z.string(), removed: z.literal(true).optional() }),
} as const satisfies CommandEntry
