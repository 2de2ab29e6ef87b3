// Shows deletions of events (docs/decisions/0085).
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

const count = z.number()

export const listDeletions = {
  name: 'listDeletions',
  help: 'Shows deletions of events, newest first: hidden (no search finds them), entered (they are leaving the store), removed (the store has them no more), done (nor its disk).',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    top: argument(wholeNumberValue(1, 1000).optional(), {
      description: 'how many; default 20',
      hint: '20',
    }),
  }),
  answer: z.strictObject({
    deletions: z.array(
      z.strictObject({
        number: count,
        /** '' for what the caller may not view. */
        log: z.string(),
        state: z.enum(['hidden', 'entered', 'removed', 'done']),
        events: count,
        /** 0 for users from whom a policy hides values. */
        bytes: count,
        askedBy: z.string(),
        askedAt: z.string(),
        endedAt: z.string().nullable(),
      }),
    ),
  }),
} as const satisfies CommandEntry
