// Makes or changes a maintenance window.
import { z } from 'zod'
import { parseCron } from '../../time/cron.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue, listValue, textValue, timeZoneValue, wholeNumberValue } from '../values.ts'

const momentText = textValue
  .trim()
  .refine(
    (text) => text === '' || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be a moment such as 2026-03-01T00:00:00Z',
  )

export const addMaintenanceWindow = {
  name: 'addMaintenanceWindow',
  help: 'Makes a maintenance window: a time, once or by a schedule, in which alerts are kept and nobody is told of them. What still fails after it is told then.',
  operation: 'data.monitors',
  sees: { kind: 'nothing', because: 'it holds alerts back of monitors of the caller alone' },
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema, {
      description: 'name of the window; letter case does not tell two apart',
      hint: '<name>',
    }),
    monitors: argument(listValue.optional(), {
      description:
        'monitors that it is for, own ones; only administrators may leave them out, which means all',
      hint: 'a,b',
    }),
    start: argument(momentText.optional(), {
      description: 'once: begins then; together with -end',
      hint: '2026-03-01T22:00:00Z',
    }),
    end: argument(momentText.optional(), {
      description: 'once: ends then',
      hint: '2026-03-02T04:00:00Z',
    }),
    cron: argument(
      textValue
        .trim()
        .refine(
          (text) => text === '' || parseCron(text) !== undefined,
          'must be five fields of cron',
        )
        .optional(),
      { description: 'begins each time, as cron writes it', hint: '0 22 * * 6' },
    ),
    minutes: argument(wholeNumberValue(1, 10_080).optional(), {
      description: 'how long it is with -cron; default 60',
      hint: '60',
    }),
    timeZone: argument(timeZoneValue.optional(), {
      description: 'of the cron; empty for that of the system',
      hint: 'Europe/Berlin',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    enabled: argument(flagValue.optional(), {
      description: 'whether it counts; default true',
      hint: 'true|false',
      isFlag: true,
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the window of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({ name: z.string(), enabled: z.boolean(), isNow: z.boolean() }),
} as const satisfies CommandEntry
