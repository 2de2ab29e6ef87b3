// How far the files of collected logs are read.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

const count = z.number()

export const listCollected = {
  name: 'listCollected',
  help: 'Tells how far the files of each log that reads files are read: those with a fault first, then those that are furthest behind.',
  operation: 'data.tasks',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    top: argument(wholeNumberValue(1, 1000).optional(), {
      description: 'how many logs; default 200',
      hint: '200',
    }),
  }),
  answer: z.strictObject({
    logs: z.array(
      z.strictObject({
        log: z.string(),
        files: count,
        /** Not read to their end, or growing. */
        openFiles: count,
        readBytes: count,
        /** Not read yet, of files that are not packed. */
        behindBytes: count,
        events: count,
        /** When something was read last. */
        readAt: z.string(),
        /** The last that are not read on, and why. */
        faults: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
      }),
    ),
    /** Logs in all. */
    total: count,
  }),
} as const satisfies CommandEntry
