// What was stored, by hour of receipt, and what the portal has acknowledged of it
// (docs/decisions/0060).
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

const count = z.number()

export const usage = {
  name: 'usage',
  help: 'Events and bytes that were stored, by hour of receipt in UTC and without the folder System: the volume that a licence is about; and what the portal has acknowledged of them.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    days: argument(wholeNumberValue(1, 400).optional(), {
      description: 'days back from now; default 7',
      hint: '1-400',
    }),
  }),
  answer: z.strictObject({
    from: z.string(),
    to: z.string(),
    /** With anything in them, by rising time. */
    hours: z.array(
      z.strictObject({
        hour: z.string(),
        /** From the counters. */
        events: count,
        bytes: count,
        /** Of these, in logs that were removed from the tree: no search shows them. */
        removedEvents: count,
        removedBytes: count,
        /** Acknowledged by the portal; under all licences there. */
        reportedEvents: count,
        reportedBytes: count,
      }),
    ),
  }),
} as const satisfies CommandEntry
