// Runs a scan task at once, and waits for its end.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { taskRunAnswer } from '../task-values.ts'
import { textValue } from '../values.ts'

export const executeScanTask = {
  name: 'executeScanTask',
  help: 'Runs a scan task at once and waits for its end: a log for each series of files in its directory, read to the end. A run that takes longer than 20 s goes on; called again it waits for the same run. One that fails is told as a failure.',
  operation: 'data.tasks',
  sees: { kind: 'act' },
  target: 'name',
  input: z.strictObject({
    name: argument(textValue.min(1, 'must not be empty'), {
      description: 'name of the task',
      hint: '<name>',
    }),
  }),
  answer: taskRunAnswer,
} as const satisfies CommandEntry
