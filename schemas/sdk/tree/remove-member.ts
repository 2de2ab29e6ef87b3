// Removes a folder or a log from the tree.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { pathValue } from '../values.ts'

export const removeMember = {
  name: 'removeMember',
  help: 'Removes a folder with everything in it, or a log. Nobody finds its events any more; they stay on disk, and are found again when a log of the same path is made, by addLog or by the next event that a listener account brings for it.',
  operation: 'data.logs',
  sees: { kind: 'paths', paths: ['folder', 'log'] },
  target: 'path',
  input: z
    .strictObject({
      path: argument(pathValue, {
        description: 'folder path, or folder path and log name',
        hint: 'Web->Edge->access',
      }),
      type: argument(z.enum(['folder', 'log'], 'must be folder or log'), {
        description: 'what the path names',
        hint: 'folder|log',
      }),
      data: argument(z.enum(['keep', 'delete'], 'must be keep or delete').optional(), {
        description:
          'what becomes of the events; default keep; delete is refused: deleteData deletes them before',
        hint: 'keep|delete',
      }),
    })
    .superRefine((input, context) => {
      if (input.path.length === 0)
        context.addIssue({ code: 'custom', path: ['path'], message: `names no ${input.type}` })
    }),
  answer: z.strictObject({
    path: z.string(),
    /** How many were removed, with those inside. */
    folders: z.number(),
    logs: z.number(),
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
