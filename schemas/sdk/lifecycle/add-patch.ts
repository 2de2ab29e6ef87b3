// Patches of the product; refused so far.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { textValue } from '../values.ts'

export const addPatch = {
  name: 'addPatch',
  help: 'Refused: this version cannot install patches. Install the new version beside the data directory and start it.',
  operation: 'system.operate',
  target: 'type',
  input: z.strictObject({
    type: argument(z.enum(['api'], 'must be api'), {
      description: 'what the patch is for',
      hint: 'api',
    }),
    files: argument(textValue.min(1, 'must not be empty'), {
      description: 'the patch archive; it is not read',
      hint: '<file>',
    }),
  }),
  answer: z.strictObject({}),
} as const satisfies CommandEntry
