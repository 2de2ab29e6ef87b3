// The caller's own sessions.
import { z } from 'zod'
import { ABOUT_CALLER } from '../../../schemas/rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'

export const ownSessions = {
  name: 'ownSessions',
  help: 'Lists and ends your sessions.',
  operation: 'signed-in',
  refusesTokens: true,
  sees: ABOUT_CALLER,
  target: 'id',
  input: z
    .strictObject({
      action: argument(z.enum(['list', 'end', 'endOthers'], 'must be list, end or endOthers'), {
        description: 'endOthers ends all but the one of this call',
        hint: 'list|end|endOthers',
      }),
      id: argument(z.string().max(64).optional(), {
        description: 'with end: as list tells it',
        hint: '<id>',
      }),
    })
    .superRefine(({ action, id }, context) => {
      if ((action === 'end') === (id !== undefined)) return
      const message = id === undefined ? 'is missing' : 'is for end only'
      context.addIssue({ code: 'custom', path: ['id'], message })
    }),
  answer: z.strictObject({
    ended: z.literal(true).optional(),
    sessions: z
      .array(
        z.strictObject({
          id: z.string(),
          isThis: z.boolean(),
          signedInBy: z.string(),
          address: z.string(),
          began: z.string(),
          used: z.string(),
          ends: z.string(),
        }),
      )
      .optional(),
  }),
} as const satisfies CommandEntry
