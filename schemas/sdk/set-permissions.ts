// Sets who may view a folder or a log.
import { z } from 'zod'
import { argument, type CommandEntry } from './argument.ts'
import { flagValue, listValue, pathValue } from './values.ts'

export const setPermissions = {
  name: 'setPermissions',
  help: 'Sets who may view a folder or a log. Rights pass down to folders and logs that set none of their own; administrators see everything.',
  operation: 'system.security',
  target: 'path',
  input: z
    .strictObject({
      path: argument(pathValue, {
        description: 'folder path, or folder path and log name; ROOT for everything',
        hint: 'Web->Edge->access',
      }),
      type: argument(z.enum(['folder', 'log'], 'must be folder or log'), {
        description: 'what the path names',
        hint: 'folder|log',
      }),
      viewGroups: argument(listValue.optional(), {
        description: 'groups that may view it; an empty list with no users: administrators only',
        hint: 'a,b',
      }),
      viewUsers: argument(listValue.optional(), {
        description: 'users that may view it',
        hint: 'a,b',
      }),
      inherit: argument(flagValue.optional(), {
        description: 'true: takes the viewers of its parent again',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .superRefine((input, context) => {
      const hasLists = input.viewGroups !== undefined || input.viewUsers !== undefined
      if (input.inherit === true && hasLists)
        context.addIssue({
          code: 'custom',
          path: ['inherit'],
          message: 'not together with -viewGroups or -viewUsers',
        })
      if (input.inherit !== true && !hasLists)
        context.addIssue({
          code: 'custom',
          path: ['viewGroups'],
          message: 'one of -viewGroups, -viewUsers, -inherit true is needed',
        })
      if (input.type === 'log' && input.path.length === 0)
        context.addIssue({ code: 'custom', path: ['path'], message: 'names no log' })
    }),
  answer: z.strictObject({
    path: z.string(),
    inherit: z.literal(true).optional(),
    viewGroups: z.array(z.string()).optional(),
    viewUsers: z.array(z.string()).optional(),
  }),
} as const satisfies CommandEntry
