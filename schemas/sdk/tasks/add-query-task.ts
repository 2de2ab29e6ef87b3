// Makes or changes a task that reads rows of a database.
import { z } from 'zod'
import { MARK_WISHES } from '../../task.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { requireWhenNew } from '../book-account.ts'
import { taskAnswer, taskArguments, taskNameArgument } from '../task-values.ts'
import { pathValue, textValue } from '../values.ts'

const MAX_COLUMN_CHARACTERS = 63

const columnValue = z
  .string()
  .trim()
  .max(MAX_COLUMN_CHARACTERS, `must have at most ${MAX_COLUMN_CHARACTERS} characters`)
  .refine((text) => !text.includes('\0'), 'must hold no NUL')

export const addQueryTask = {
  name: 'addQueryTask',
  help: 'Makes a task that reads rows of a database into a log, by a schedule or when executeTask asks: each row behind the mark of the run before is one event.',
  operation: 'data.tasks',
  sees: { kind: 'paths', paths: ['task'] },
  target: 'name',
  input: z
    .strictObject({
      name: taskNameArgument,
      account: argument(textValue.optional(), {
        description: 'database account of the address book; required for a new task',
        hint: '<name>',
      }),
      query: argument(textValue.trim().min(1, 'must not be empty').optional(), {
        description: 'a SELECT of SQL, in which :mark stands for the mark; required for a new task',
        hint: 'SELECT * FROM orders WHERE id > :mark',
      }),
      markColumn: argument(columnValue.min(1, 'must not be empty').optional(), {
        description:
          'column of the result that rises from row to row, such as an identity; required for a new task',
        hint: 'id',
      }),
      firstMark: argument(textValue.optional(), {
        description: 'the first run reads rows with a larger one; default 0',
        hint: '0',
      }),
      timeColumn: argument(columnValue.optional(), {
        description:
          'column with the time of the event, in UTC where it names no zone; empty for the time of the run',
        hint: 'created_at',
      }),
      messageColumn: argument(columnValue.optional(), {
        description: 'column that is the message; empty for the whole row as JSON',
        hint: 'text',
      }),
      log: argument(pathValue.refine((levels) => levels.length > 0, 'must name a log').optional(), {
        description: 'the log of its events, which must be there; required for a new task',
        hint: 'Shop->orders',
      }),
      mark: argument(z.enum(MARK_WISHES, 'must be keep or anew').optional(), {
        description:
          'with -update true: keep goes on behind the mark of the run before, anew begins behind -firstMark; not given: anew with another account, query or markColumn, else keep',
        hint: 'keep|anew',
      }),
      ...taskArguments,
    })
    .superRefine(requireWhenNew(['account', 'query', 'markColumn', 'log'])),
  answer: taskAnswer,
} as const satisfies CommandEntry
