// How reports are doing, and sends one now.
import { z } from 'zod'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue } from '../values.ts'

export const reports = {
  name: 'reports',
  help: 'Lists own reports (administrators: all) with what became of the last one; of one that is named, its last runs and whom they were sent to, too. With -runNow true it is sent now.',
  operation: 'data.monitors',
  sees: { kind: 'nothing', because: 'it sends a report of the caller to the targets that it has' },
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema.optional(), { description: 'of one report', hint: '<name>' }),
    runNow: argument(flagValue.optional(), {
      description: 'true: the named one is sent within seconds, beside its schedule',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    reports: z.array(
      z.strictObject({
        name: z.string(),
        owner: z.string(),
        enabled: z.boolean(),
        /** `dashboard …` or `search …`. */
        of: z.string(),
        schedule: z.string(),
        targets: z.array(z.string()),
        /** Of the last run: `new`, `begun`, `sent`, `failed`. */
        status: z.string(),
        reason: z.string(),
        lastRun: z.string().nullable(),
        nextRun: z.string().nullable(),
      }),
    ),
    /** Of the named one, newest first. */
    runs: z.array(
      z.strictObject({
        due: z.string(),
        state: z.string(),
        reason: z.string(),
        /** Of the attachment; null: none was made yet, or it was too large. */
        bytes: z.number().nullable(),
        ended: z.string().nullable(),
        /** Due times before it that nobody ran. */
        skipped: z.number(),
        deliveries: z.array(
          z.strictObject({
            target: z.string(),
            /** `pending`, `delivered`, `failed`. */
            state: z.string(),
            tries: z.number(),
            /** Of the last try. */
            failure: z.string(),
          }),
        ),
      }),
    ),
  }),
} as const satisfies CommandEntry
