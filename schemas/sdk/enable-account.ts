// Enables or disables a listener account.
import { z } from 'zod'
import { accountAnswer, accountName } from './account.ts'
import { argument, type CommandEntry } from './argument.ts'
import { flagValue } from './values.ts'

export const enableAccount = {
  name: 'enableAccount',
  help: 'Enables or disables an account. The token of a disabled one is refused within a second.',
  operation: 'data.listeners',
  target: 'name',
  input: z.strictObject({
    name: accountName,
    enabled: argument(flagValue, {
      description: 'true to enable, false to disable',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: accountAnswer,
} as const satisfies CommandEntry
