// Adds, edits or removes a user.
import { z } from 'zod'
import { passwordSchema, userNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { displayNameValue, flagValue, listValue, textValue } from '../values.ts'

export const securityUsers = {
  name: 'securityUsers',
  help: 'Adds, edits or removes a user.',
  operation: 'system.security',
  refusesTokens: ['userPassword', 'signIn'],
  sees: {
    kind: 'nothing',
    because:
      'nobody gives or takes rights beyond the own, and nobody takes a mask away from events that he may not view',
  },
  target: 'userName',
  input: z
    .strictObject({
      action: argument(z.enum(['add', 'edit', 'remove'], 'must be add, edit or remove'), {
        description: 'edit changes what is given and leaves the rest',
        hint: 'add|edit|remove',
      }),
      userName: argument(userNameSchema, {
        description: 'sign-in name; letter case does not tell two apart',
        hint: '<name>',
      }),
      displayName: argument(displayNameValue.optional(), {
        description: 'name to show; default the sign-in name',
        hint: '<text>',
      }),
      userPassword: argument(passwordSchema.optional(), {
        description: 'password, at least 8 characters; required with add, but for -signIn oidc',
        hint: '<password>',
        isSecret: true,
      }),
      signIn: argument(z.enum(['oidc'], 'must be oidc').optional(), {
        description:
          'no password: the user of this name at the identity provider, from its first sign-in on',
        hint: 'oidc',
      }),
      groups: argument(listValue.optional(), {
        description: 'groups of the user; everyone is in the group everyone',
        hint: 'a,b',
      }),
      policy: argument(textValue.optional(), {
        description: 'own policy beside those of the groups; empty for none',
        hint: '<policy>',
      }),
      administeredGroups: argument(listValue.optional(), {
        description: 'groups whose members the user may change',
        hint: 'a,b',
      }),
      enabled: argument(flagValue.optional(), {
        description: 'false: the user cannot sign in; default true',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .superRefine((input, context) => {
      const { action, userPassword, signIn } = input
      const refuse = (message: string) =>
        context.addIssue({ code: 'custom', path: ['userPassword'], message })
      if (signIn !== undefined && userPassword !== undefined) refuse('not together with -signIn')
      if (action === 'add' && signIn === undefined && userPassword === undefined)
        refuse('is missing')
    }),
  answer: z.strictObject({ userName: z.string(), removed: z.literal(true).optional() }),
} as const satisfies CommandEntry
