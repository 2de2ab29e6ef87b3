// Writes a day of a collection policy away by command (docs/decisions/0108).
import { z } from 'zod'
import { archiveAnswer } from '../../archive/archive-answer.ts'
import { dayValue } from '../../archive/day-value.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'

export const archive = {
  name: 'archive',
  help: 'Writes a day of receipt (UTC) of a collection policy into its archive, within a minute; the day stays in the store. Days that retention is about to remove are archived without it. listArchives shows what became of it.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'the events go where their collection policy says' },
  target: 'policy',
  input: z.strictObject({
    policy: argument(objectNameSchema, { description: 'name of the policy', hint: '<name>' }),
    day: argument(dayValue, {
      description: 'day of receipt, UTC; not today',
      hint: '2026-03-01',
    }),
  }),
  answer: archiveAnswer,
} as const satisfies CommandEntry
