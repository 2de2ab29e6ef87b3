// How monitors are doing, and mutes them.
import { z } from 'zod'
import { untilValue } from '../../monitors/monitor-values.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue } from '../values.ts'

export const monitors = {
  name: 'monitors',
  help: 'Lists own monitors (with system.alerts: all) and what their last run said; of one that is named, its last runs, too. With -runNow true it is run at once. With -muteUntil it is muted: its alerts are kept and nobody is told.',
  operation: 'data.monitors',
  sees: { kind: 'nothing', because: 'it mutes and runs monitors of the caller alone' },
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema.optional(), { description: 'of one monitor', hint: '<name>' }),
    runNow: argument(flagValue.optional(), {
      description: 'true: the named one is run within seconds, beside its schedule',
      hint: 'true|false',
      isFlag: true,
    }),
    muteUntil: argument(untilValue.optional(), {
      description: 'a moment, or how long from now; empty: not muted any more',
      hint: '2h|2026-03-01T00:00:00Z',
    }),
  }),
  answer: z.strictObject({
    monitors: z.array(
      z.strictObject({
        name: z.string(),
        owner: z.string(),
        enabled: z.boolean(),
        severity: z.string(),
        schedule: z.string(),
        /** `new`, `passed`, `failed`, `error`. */
        status: z.string(),
        /** Of an error. */
        reason: z.string(),
        statusAt: z.string(),
        nextRun: z.string().nullable(),
        openAlerts: z.number(),
        mutedUntil: z.string().nullable(),
      }),
    ),
    /** Of the named one, newest first. */
    runs: z.array(
      z.strictObject({
        due: z.string(),
        state: z.string(),
        reason: z.string(),
        failing: z.number(),
        opened: z.number(),
        closed: z.number(),
        /** Due times before it that nobody ran. */
        skipped: z.number(),
        skippedFrom: z.string().nullable(),
      }),
    ),
  }),
} as const satisfies CommandEntry
