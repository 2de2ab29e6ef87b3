// The last runs of tasks.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { taskRunAnswer } from '../task-values.ts'
import { textValue } from '../values.ts'

export const listTaskRuns = {
  name: 'listTaskRuns',
  help: 'Tells of the last 100 runs of tasks, the newest first: what was found, read and copied, and what could not be.',
  operation: 'data.tasks',
  sees: ONLY_READS,
  target: 'name',
  input: z.strictObject({
    name: argument(textValue.optional(), {
      description: 'of this task alone; default of all that you may see',
      hint: '<name>',
    }),
  }),
  answer: z.strictObject({ runs: z.array(taskRunAnswer) }),
} as const satisfies CommandEntry
