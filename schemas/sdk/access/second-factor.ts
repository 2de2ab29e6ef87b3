// Second factors.
import { z } from 'zod'
import { ABOUT_CALLER } from '../../../schemas/rights/sees.ts'
import { userNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'

export const secondFactor = {
  name: 'secondFactor',
  help: 'Shows, begins, confirms and removes your second factor: codes of an authenticator app. With it your password works for sessions only, together with a code; programs use API tokens.',
  operation: 'signed-in',
  refusesTokens: true,
  sees: ABOUT_CALLER,
  target: 'userName',
  input: z
    .strictObject({
      action: argument(
        z.enum(
          ['show', 'begin', 'confirm', 'remove', 'reset'],
          'must be show, begin, confirm, remove or reset',
        ),
        {
          description:
            'show says whether you have one; begin shows the secret once; confirm shows recovery codes once; remove needs a session of the last 5 minutes; reset takes that of another user away and needs system.security',
          hint: 'show|begin|confirm|remove|reset',
        },
      ),
      code: argument(
        z
          .string()
          .trim()
          .regex(/^\d{6}$/, 'must be the six digits that the app shows')
          .optional(),
        { description: 'with confirm: what the app shows', hint: '123456', isSecret: true },
      ),
      userName: argument(userNameSchema.optional(), {
        description: 'with reset: whose',
        hint: '<name>',
      }),
    })
    .superRefine((input, context) => {
      const judge = (path: 'code' | 'userName', action: string) => {
        const isGiven = input[path] !== undefined
        if (isGiven === (input.action === action)) return
        const message = isGiven ? `is for ${action} only` : 'is missing'
        context.addIssue({ code: 'custom', path: [path], message })
      }
      judge('code', 'confirm')
      judge('userName', 'reset')
    }),
  answer: z.strictObject({
    /** Of show: it is confirmed, and asked for. */
    enabled: z.boolean().optional(),
    /** Of begin, shown only this once. */
    secret: z.string().optional(),
    uri: z.string().optional(),
    /** Of confirm, shown only this once. */
    recoveryCodes: z.array(z.string()).optional(),
    removed: z.literal(true).optional(),
  }),
} as const satisfies CommandEntry
