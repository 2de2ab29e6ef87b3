// What takes the disk of the store, and when it goes.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

const count = z.number()

export const diskUsage = {
  name: 'diskUsage',
  help: 'What takes the disk of the store: by collection policy, by day of receipt (UTC), and by log; and which days retention has taken out. Bytes of a log are its share of its days by the bytes that were received.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    top: argument(wholeNumberValue(1, 1000).optional(), {
      description: 'how many logs and days, the largest and newest; default 20',
      hint: '20',
    }),
  }),
  answer: z.strictObject({
    policies: z.array(
      z.strictObject({
        policy: z.string(),
        isRemoved: z.boolean(),
        events: count,
        bytes: count,
        /** Of them, what is compacted. */
        compactBytes: count,
        storageDays: count.nullable(),
        storageMaxBytes: count.nullable(),
        /** Oldest day of receipt; null: nothing is stored. */
        oldestDay: z.string().nullable(),
      }),
    ),
    days: z.array(
      z.strictObject({
        day: z.string(),
        policy: z.string(),
        events: count,
        bytes: count,
        /** Of them, what is compacted. */
        compactBytes: count,
        /** Day from which retention by age takes it out; null: never. */
        goesOn: z.string().nullable(),
      }),
    ),
    logs: z.array(
      z.strictObject({
        /** '' for what the caller may not view or is not in the tree. */
        log: z.string(),
        policy: z.string(),
        events: count,
        bytes: count,
      }),
    ),
    /** Newest first. */
    removed: z.array(
      z.strictObject({
        day: z.string(),
        policy: z.string(),
        cause: z.enum(['age', 'size']),
        isDone: z.boolean(),
        events: count,
        at: z.string(),
      }),
    ),
  }),
} as const satisfies CommandEntry
