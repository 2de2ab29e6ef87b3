// Sets who may view and who may edit a folder or a log.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { listValue, pathValue } from '../values.ts'

const INHERIT = { true: true, false: false, view: 'view', edit: 'edit' } as const

export const setPermissions = {
  name: 'setPermissions',
  help: 'Sets who may view and who may edit a folder or a log. Each of the two lists passes down to folders and logs that set none of their own; administrators view and edit everything. Editing needs the operation data.logs and the right to view, too.',
  operation: 'system.security',
  sees: { kind: 'nothing', because: 'nobody gives or takes rights beyond the own' },
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
      editGroups: argument(listValue.optional(), {
        description: 'groups that may edit it; an empty list with no users: administrators only',
        hint: 'a,b',
      }),
      editUsers: argument(listValue.optional(), {
        description: 'users that may edit it',
        hint: 'a,b',
      }),
      inherit: argument(
        z
          .enum(['true', 'false', 'view', 'edit'], 'must be true, false, view or edit')
          .transform((text) => INHERIT[text])
          .optional(),
        {
          description: 'takes both lists of its parent again, or the one that is named',
          hint: 'true|view|edit|false',
          isFlag: true,
        },
      ),
    })
    .superRefine((input, context) => {
      const isGiven = {
        view: input.viewGroups !== undefined || input.viewUsers !== undefined,
        edit: input.editGroups !== undefined || input.editUsers !== undefined,
      }
      const { inherit = false } = input
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      for (const list of ['view', 'edit'] as const)
        if (isGiven[list] && (inherit === true || inherit === list))
          refuse('inherit', `not together with -${list}Groups or -${list}Users`)
      if (inherit === false && !isGiven.view && !isGiven.edit)
        refuse('viewGroups', 'a list of groups or users, or -inherit, is needed')
      if (input.type === 'log' && input.path.length === 0) refuse('path', 'names no log')
    }),
  answer: z.strictObject({
    path: z.string(),
    inherit: z.union([z.literal(true), z.enum(['view', 'edit'])]).optional(),
    viewGroups: z.array(z.string()).optional(),
    viewUsers: z.array(z.string()).optional(),
    editGroups: z.array(z.string()).optional(),
    editUsers: z.array(z.string()).optional(),
  }),
} as const satisfies CommandEntry
