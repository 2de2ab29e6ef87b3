// When a monitor would have fired, as it is saved or as it is given.
import { z } from 'zod'
import { windowValue } from '../../monitors/monitor-values.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { textValue } from '../values.ts'
import { MONITOR_ARGUMENTS } from './monitor-arguments.ts'

const WEEK_MS = 7 * 86_400_000

const pastValue = windowValue.refine(
  (past): past is number => typeof past === 'number' && past <= WEEK_MS,
  'must be a time such as 1h or 1d, at most 7d',
)

export const testMonitor = {
  name: 'testMonitor',
  help: 'Tells when a monitor would have opened alerts in the time before now, over the events that are there now, by the rights of its owner. What is given beside its name counts in place of what is saved; without a name it tries a monitor that is not made. One that never runs by itself is tried once, over the whole time. Nothing is kept and nobody is told.',
  operation: 'data.monitors',
  sees: {
    kind: 'nothing',
    because:
      'it reads with the rights of the caller and notifies nobody but the targets of a monitor of the caller',
  },
  target: 'name',
  input: z
    .strictObject({
      name: argument(objectNameSchema.optional(), {
        description: 'name of the monitor; required without a query',
        hint: '<name>',
      }),
      owner: argument(textValue.optional(), {
        description:
          'user with whose rights it is tried; default its owner, or whoever calls; only administrators may name another',
        hint: '<user>',
      }),
      past: argument(pastValue.optional(), {
        description: 'how long before now; default 7d, which is the most',
        hint: '1h|1d|7d',
      }),
      ...MONITOR_ARGUMENTS,
    })
    .superRefine(({ name, query }, context) => {
      if (name === undefined && query === undefined)
        context.addIssue({ code: 'custom', path: ['name'], message: 'is missing' })
    }),
  answer: z.strictObject({
    /** '' of one that is not made. */
    name: z.string(),
    /** `would have fired 4 times …`. */
    summary: z.string(),
    /** Due times that were tried. */
    runs: z.number(),
    /** False: the time was over before; the oldest due times were tried. */
    isComplete: z.boolean(),
    from: z.string(),
    to: z.string(),
    fired: z.array(z.strictObject({ at: z.string(), group: z.string(), count: z.number() })),
    /** The newest due times, rising: rows of all groups, and how many groups failed. */
    tried: z.array(z.strictObject({ at: z.string(), count: z.number(), failing: z.number() })),
    /** Of the newest run that failed, else of the newest that found any. */
    sample: z
      .strictObject({
        at: z.string(),
        isFailing: z.boolean(),
        columns: z.array(z.string()),
        rows: z.array(z.array(z.string())),
        times: z.array(z.string()),
      })
      .nullable(),
  }),
} as const satisfies CommandEntry
