// Makes or changes a report.
import { z } from 'zod'
import { scheduleValue } from '../../monitors/monitor-values.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue, listValue, textValue, timeZoneValue } from '../values.ts'

export const addReport = {
  name: 'addReport',
  help: 'Makes a report: a dashboard as PDF or a saved search as CSV, sent by mail by a schedule, with the rights that its owner has when it is sent. Each due time is sent once.',
  operation: 'data.monitors',
  sees: { kind: 'paths', paths: ['report'] },
  target: 'name',
  input: z.strictObject({
    name: argument(objectNameSchema, {
      description: 'name of the report; letter case does not tell two apart',
      hint: '<name>',
    }),
    dashboard: argument(textValue.trim().optional(), {
      description: 'what is sent as PDF; either this or search',
      hint: 'Web->Traffic',
    }),
    search: argument(textValue.trim().optional(), {
      description: 'what is sent as CSV: a saved search of its owner; either this or dashboard',
      hint: '<saved search>',
    }),
    owner: argument(textValue.optional(), {
      description:
        'user with whose rights it is made; default whoever makes it; only administrators may name another',
      hint: '<user>',
    }),
    schedule: argument(scheduleValue.optional(), {
      description: 'when it is sent; default daily 08:00',
      hint: 'never|daily 08:00|weekly mon 08:00|monthly 1 08:00|every 6h|<cron>',
    }),
    timeZone: argument(timeZoneValue.optional(), {
      description: 'of the schedule; empty for that of the system',
      hint: 'Europe/Berlin',
    }),
    targets: argument(listValue.optional(), {
      description: 'who gets it: alert targets of the type mail; required for a new report',
      hint: 'a,b',
    }),
    subject: argument(textValue.optional(), {
      description: 'of the mail; empty for the name of the report',
      hint: '<text>',
    }),
    description: argument(textValue.optional(), {
      description: 'free text, which stands in the mail',
      hint: '<text>',
    }),
    enabled: argument(flagValue.optional(), {
      description: 'whether it is sent by its schedule; default true',
      hint: 'true|false',
      isFlag: true,
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the report of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    name: z.string(),
    owner: z.string(),
    enabled: z.boolean(),
    /** The next five. */
    nextRuns: z.array(z.string()),
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
