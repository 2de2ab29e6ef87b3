// Runs a task of any kind at once.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { taskRunAnswer } from '../task-values.ts'
import { textValue } from '../values.ts'

export const executeTask = {
  name: 'executeTask',
  help: 'Runs a task at once, as executeScanTask does. Log sync tasks are refused: they are not part of this version.',
  operation: 'data.tasks',
  target: 'name',
  input: z.strictObject({
    name: argument(textValue.min(1, 'must not be empty'), {
      description: 'name of the task',
      hint: '<name>',
    }),
  }),
  answer: taskRunAnswer,
} as const satisfies CommandEntry
