// Makes an archived day searchable again (docs/decisions/0108).
import { z } from 'zod'
import { archiveAnswer } from '../../archive/archive-answer.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { momentValue, wholeNumberValue } from '../values.ts'

export const thaw = {
  name: 'thaw',
  help: 'Makes an archived day searchable again, for a time: within a minute or some, all at once. What was deleted since stays deleted. Retention leaves it alone; at the end it leaves the store, and the archive stays. For a thaw that is there already only its end changes: a moment that is over ends it.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'the events return to their logs' },
  target: 'archive',
  input: z.strictObject({
    archive: argument(wholeNumberValue(1, Number.MAX_SAFE_INTEGER), {
      description: 'number of the archive, as listArchives shows it',
      hint: '7',
    }),
    until: argument(momentValue.optional(), {
      description: 'moment of its end; default: in 7 days',
      hint: '2026-04-01T00:00:00Z',
    }),
  }),
  answer: archiveAnswer,
} as const satisfies CommandEntry
