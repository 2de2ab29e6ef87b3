// When a monitor would have fired.
import { z } from 'zod'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'

export const testMonitor = {
  name: 'testMonitor',
  help: 'Tells when a monitor would have opened alerts in the last week, over the events that are there now, by the rights of its owner. Nothing is kept and nobody is told.',
  operation: 'data.monitors',
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema, { description: 'name of the monitor', hint: '<name>' }),
  }),
  answer: z.strictObject({
    name: z.string(),
    /** `would have fired 4 times …`. */
    summary: z.string(),
    /** Due times that were tried. */
    runs: z.number(),
    /** False: the time was over before; the oldest due times were tried. */
    isComplete: z.boolean(),
    from: z.string(),
    fired: z.array(z.strictObject({ at: z.string(), group: z.string(), count: z.number() })),
  }),
} as const satisfies CommandEntry
