// Removes an account.
import { z } from 'zod'
import { anyAccountName } from './account.ts'
import type { CommandEntry } from './argument.ts'

export const removeAccount = {
  name: 'removeAccount',
  help: 'Removes a listener account or one of the address book. A token is refused within a second; data received with it stays as it is. An account of the address book that a log names is not removed.',
  operation: 'data.listeners',
  otherOperation: 'data.accounts',
  sees: { kind: 'paths', paths: ['listener', 'account'] },
  target: 'name',
  input: z.strictObject({ name: anyAccountName }),
  answer: z.strictObject({ name: z.string(), removed: z.literal(true) }),
} as const satisfies CommandEntry
