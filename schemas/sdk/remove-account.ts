// Removes a listener account.
import { z } from 'zod'
import { accountName } from './account.ts'
import type { CommandEntry } from './argument.ts'

export const removeAccount = {
  name: 'removeAccount',
  help: 'Removes an account. Its token is refused within a second; data received with it stays as it is.',
  operation: 'data.listeners',
  target: 'name',
  input: z.strictObject({ name: accountName }),
  answer: z.strictObject({ name: z.string(), removed: z.literal(true) }),
} as const satisfies CommandEntry
