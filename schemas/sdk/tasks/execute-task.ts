// Runs a task of any kind at once.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { taskRunAnswer } from '../task-values.ts'
import { textValue } from '../values.ts'

export const executeTask = {
  name: 'executeTask',
  help: 'Runs a task of any kind at once and waits for its end, as executeScanTask does. One that fails, or a log sync task that could not copy or verify a file, is told as a failure.',
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
