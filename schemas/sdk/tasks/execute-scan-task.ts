// Runs a scan task at once; refused so far.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { textValue } from '../values.ts'

export const executeScanTask = {
  name: 'executeScanTask',
  help: 'Runs a scan task that reads a directory at once. Refused: collection is not part of this version.',
  operation: 'data.tasks',
  target: 'name',
  input: z.strictObject({
    name: argument(textValue.min(1, 'must not be empty'), {
      description: 'name of the task',
      hint: '<name>',
    }),
  }),
  answer: z.strictObject({}),
} as const satisfies CommandEntry
