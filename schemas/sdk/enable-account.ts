// Enables or disables an account.
import { z } from 'zod'
import { anyAccountAnswer, anyAccountName } from './account.ts'
import { argument, type CommandEntry } from './argument.ts'
import { flagValue } from './values.ts'

export const enableAccount = {
  name: 'enableAccount',
  help: 'Enables or disables a listener account or one of the address book. The token of a disabled one is refused within a second.',
  operation: 'data.listeners',
  otherOperation: 'data.accounts',
  sees: { kind: 'paths', paths: ['listener', 'account'] },
  target: 'name',
  input: z.strictObject({
    name: anyAccountName,
    enabled: argument(flagValue, {
      description: 'true to enable, false to disable',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: anyAccountAnswer,
} as const satisfies CommandEntry
