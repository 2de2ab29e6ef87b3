// Adds, edits or removes a group of users.
import { z } from 'zod'
import { userNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { displayNameValue, listValue, textValue } from '../values.ts'

export const securityGroups = {
  name: 'securityGroups',
  help: 'Adds, edits or removes a group of users. Members are users and groups; a group that has no policy of its own has those of its parents. Administrators of a group may change its members without any operation.',
  operation: 'system.security',
  isDelegated: true,
  sees: {
    kind: 'nothing',
    because:
      'nobody gives or takes rights beyond the own, and nobody takes a mask away from events that he may not view',
  },
  target: 'groupName',
  input: z
    .strictObject({
      action: argument(z.enum(['add', 'edit', 'remove'], 'must be add, edit or remove'), {
        description: 'edit changes what is given and leaves the rest; a list replaces the list',
        hint: 'add|edit|remove',
      }),
      groupName: argument(userNameSchema, {
        description: 'name of the group; letter case does not tell two apart',
        hint: '<name>',
      }),
      displayName: argument(displayNameValue.optional(), {
        description: 'name to show; default the name',
        hint: '<text>',
      }),
      description: argument(textValue.optional(), {
        description: 'what the group is for',
        hint: '<text>',
      }),
      parents: argument(listValue.optional(), {
        description: 'groups that hold this one',
        hint: 'a,b',
      }),
      members: argument(listValue.optional(), {
        description: 'users and groups; user:a or group:a where there are both',
        hint: 'a,group:b',
      }),
      addMembers: argument(listValue.optional(), {
        description: 'users and groups beside those that are members',
        hint: 'a,group:b',
      }),
      removeMembers: argument(listValue.optional(), {
        description: 'users and groups that are members no more',
        hint: 'a,group:b',
      }),
      administrators: argument(listValue.optional(), {
        description: 'users and groups that may change the members of this group',
        hint: 'a,group:b',
      }),
      administeredGroups: argument(listValue.optional(), {
        description: 'groups whose members may be changed by the members of this group',
        hint: 'a,b',
      }),
      policy: argument(textValue.optional(), {
        description: 'own policy; empty: those of the parents',
        hint: '<policy>',
      }),
    })
    .superRefine((input, context) => {
      const isBoth = input.addMembers !== undefined || input.removeMembers !== undefined
      if (input.members !== undefined && isBoth)
        context.addIssue({
          code: 'custom',
          path: ['members'],
          message: 'not together with -addMembers or -removeMembers',
        })
    }),
  answer: z.strictObject({ groupName: z.string(), removed: z.literal(true).optional() }),
} as const satisfies CommandEntry
