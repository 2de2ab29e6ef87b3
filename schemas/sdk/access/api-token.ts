// Makes, lists and removes the caller's API tokens.
import { z } from 'zod'
import { objectNameSchema, userNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { DEFAULT_TOKEN_DAYS, tokenEndValue } from '../values.ts'

const told = z.strictObject({
  name: z.string(),
  lastFour: z.string(),
  policy: z.string().nullable(),
  made: z.string(),
  ends: z.string(),
  hasEnded: z.boolean(),
})

export const apiToken = {
  name: 'apiToken',
  help: 'Makes, lists or removes API tokens of your own. A token stands for you where no password is wanted, in -token, in the header Authorization: Bearer or in the parameter apiToken. It is shown once. Removed, it is refused within a second.',
  operation: 'signed-in',
  refusesTokens: true,
  sees: { kind: 'nothing', because: 'a token sees no more than its user' },
  target: 'name',
  input: z
    .strictObject({
      action: argument(z.enum(['add', 'list', 'remove'], 'must be add, list or remove'), {
        description: 'what to do',
        hint: 'add|list|remove',
      }),
      name: argument(objectNameSchema.optional(), {
        description: 'your word for it; required with add and remove',
        hint: '<name>',
      }),
      ends: argument(tokenEndValue.optional(), {
        description: `with add: days that it lives, or its last day in UTC; default ${DEFAULT_TOKEN_DAYS} days`,
        hint: '<days>|2030-12-31',
      }),
      policy: argument(objectNameSchema.optional(), {
        description:
          'with add: it may do what this policy and you may do; default whatever you may do',
        hint: 'view only',
      }),
      userName: argument(userNameSchema.optional(), {
        description: 'with list and remove: tokens of this user; needs system.security',
        hint: '<name>',
      }),
    })
    .superRefine((input, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      if (input.action !== 'list' && input.name === undefined) refuse('name', 'is missing')
      if (input.action === 'list' && input.name !== undefined) refuse('name', 'is not for list')
      if (input.action === 'add' && input.userName !== undefined)
        refuse('userName', 'a user makes tokens for himself only')
      for (const name of ['ends', 'policy'] as const)
        if (input.action !== 'add' && input[name] !== undefined) refuse(name, 'is for add only')
    }),
  answer: z.strictObject({
    name: z.string().optional(),
    /** Shown only this once. */
    token: z.string().optional(),
    ends: z.string().optional(),
    removed: z.literal(true).optional(),
    tokens: z.array(told).optional(),
  }),
} as const satisfies CommandEntry
