// Removes a legal hold.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'
import { legalHold } from './legal-hold.ts'

export const removeHold = {
  name: 'removeHold',
  help: 'Removes a legal hold. What its collection policy no longer keeps may go within a minute.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'number',
  input: z.strictObject({
    number: argument(wholeNumberValue(1, 999_999_999), {
      description: 'number of the hold, as listHolds shows it',
      hint: '<number>',
    }),
  }),
  answer: legalHold,
} as const satisfies CommandEntry
