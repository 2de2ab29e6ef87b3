// A silence is no longer expected (docs/decisions/0098).
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

export const removeExpectedSilence = {
  name: 'removeExpectedSilence',
  help: 'Removes an expected silence: what is silent from now on is told again.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'id',
  input: z.strictObject({
    id: argument(wholeNumberValue(1, 999_999_999), {
      description: 'as silentLogs shows it',
      hint: '1',
    }),
  }),
  answer: z.strictObject({ id: z.number(), path: z.string() }),
} as const satisfies CommandEntry
