// Which logs fell silent, and which silences are expected (docs/decisions/0098).
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import type { CommandEntry } from '../argument.ts'

export const silentLogs = {
  name: 'silentLogs',
  help: 'Logs that used to send and stopped, by what they usually send at that hour of the week; and the silences that are expected. Of those alone that you may view.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({}),
  answer: z.strictObject({
    /** Earliest first. */
    silent: z.array(z.strictObject({ log: z.string(), since: z.string() })),
    expected: z.array(
      z.strictObject({
        id: z.number(),
        path: z.string(),
        from: z.string(),
        /** Null: until it is removed. */
        to: z.string().nullable(),
        reason: z.string(),
        madeBy: z.string(),
      }),
    ),
  }),
} as const satisfies CommandEntry
