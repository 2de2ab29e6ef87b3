// The caller's own password.
import { z } from 'zod'
import { ABOUT_CALLER } from '../../../schemas/rights/sees.ts'
import { passwordSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'

export const ownPassword = {
  name: 'ownPassword',
  help: 'Changes your own password. Your other sessions end; your API tokens go on.',
  operation: 'signed-in',
  refusesTokens: true,
  sees: ABOUT_CALLER,
  target: '',
  input: z.strictObject({
    old: argument(z.string().max(1024), {
      description: 'the password until now',
      hint: '<password>',
      isSecret: true,
    }),
    new: argument(passwordSchema, {
      description: 'the password from now on, at least 8 characters',
      hint: '<password>',
      isSecret: true,
    }),
  }),
  answer: z.strictObject({ userName: z.string() }),
} as const satisfies CommandEntry
