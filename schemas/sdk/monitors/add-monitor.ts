// Makes or changes a monitor.
import { z } from 'zod'
import { SEVERITIES } from '../../monitors/monitor.ts'
import {
  businessHoursValue,
  escalationValue,
  ruleValue,
  scheduleValue,
  windowValue,
} from '../../monitors/monitor-values.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { requireWhenNew } from '../book-account.ts'
import { flagValue, listValue, textValue, timeZoneValue, wholeNumberValue } from '../values.ts'

const template = (what: string) =>
  argument(textValue.optional(), {
    description: `${what}, with \${monitor}, \${severity}, \${group}, \${count}, \${event}, \${query}, \${opened}, \${time}, \${rows}, \${link}, and \\n for a new line; empty for the usual one`,
    hint: '<text>',
  })

const monitorQuery = argument(textValue.optional(), {
  description: 'the search; required for a new monitor',
  hint: 'error in log.access',
})

export const addMonitor = {
  name: 'addMonitor',
  help: 'Makes a monitor: a search that runs by a schedule with the rights of its owner, and opens an alert when its rule says so. Each due time is run once.',
  operation: 'data.monitors',
  target: 'name',
  input: z
    .strictObject({
      name: argument(objectNameSchema, {
        description: 'name of the monitor; letter case does not tell two apart',
        hint: '<name>',
      }),
      query: monitorQuery,
      sources: argument(textValue.optional(), {
        description: 'logs that it reads, as the scope of a search; empty for all',
        hint: 'folder.Web, apptag.Shop',
      }),
      owner: argument(textValue.optional(), {
        description:
          'user with whose rights it runs; default whoever makes it; only administrators may name another',
        hint: '<user>',
      }),
      schedule: argument(scheduleValue.optional(), {
        description: 'when it is due; default every 5m',
        hint: 'never|every 5m|daily 08:00|weekly mon 08:00|monthly 1 08:00|<cron>',
      }),
      timeZone: argument(timeZoneValue.optional(), {
        description: 'of schedule and hours; empty for that of the system',
        hint: 'Europe/Berlin',
      }),
      businessHours: argument(businessHoursValue.optional(), {
        description: 'it is due only then; empty for any time',
        hint: 'mon-fri 08:00-18:00',
      }),
      window: argument(windowValue.optional(), {
        description:
          'new: what has arrived since the last run, late events too; or the time before it is due; default new',
        hint: 'new|15m|1h|1d',
      }),
      delaySeconds: argument(wholeNumberValue(0, 86_400).optional(), {
        description: 'it runs so much later, so that late events are in; default 0',
        hint: '60',
      }),
      rule: argument(ruleValue.optional(), {
        description:
          'when it fails. exists: a row is there; count: by the number of rows; column: by a number in a column; change: by the number of rows against a week before; silence: a log has no event; unusual: the last full hour of a log is not as that hour of the week is; new shape, new value: a kind of message, or a value of a column, that was not there before and comes often enough to be news; every new: however seldom it comes. Default exists',
        hint: 'exists|count > 5|column <name> >= 100|change > 50%|silence|unusual|[every ]new shape|[every ]new value <name>',
      }),
      groupBy: argument(textValue.optional(), {
        description: 'one alert for each value of this column; empty for one of all rows',
        hint: 'host',
      }),
      severity: argument(z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`).optional(), {
        description: 'default medium',
        hint: SEVERITIES.join('|'),
      }),
      once: argument(flagValue.optional(), {
        description: 'true: told once while it fails; false: at each run that fails; default true',
        hint: 'true|false',
        isFlag: true,
      }),
      openAfter: argument(wholeNumberValue(1, 100).optional(), {
        description: 'runs one after the other that must fail before an alert opens; default 1',
        hint: '1',
      }),
      closeAfter: argument(wholeNumberValue(1, 100).optional(), {
        description: 'runs one after the other that must pass before it closes; default 1',
        hint: '1',
      }),
      maxAlertsPerHour: argument(wholeNumberValue(0, 1000).optional(), {
        description: 'flapping guard: alerts of one group that are told in an hour; 0 for all',
        hint: '0',
      }),
      tellEnd: argument(flagValue.optional(), {
        description: 'true: the end of an alert is told, too; default false',
        hint: 'true|false',
        isFlag: true,
      }),
      actions: argument(listValue.optional(), {
        description: 'alert targets that are told; empty for the log System->alerts alone',
        hint: 'a,b',
      }),
      escalation: argument(escalationValue.optional(), {
        description:
          'alert targets that are told while nobody has acknowledged an alert for so long; empty for none',
        hint: '15m: team lead, 1h: boss',
      }),
      subject: template('template of the first line'),
      text: template('template of the text'),
      description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
      enabled: argument(flagValue.optional(), {
        description: 'whether it runs; default true',
        hint: 'true|false',
        isFlag: true,
      }),
      update: argument(flagValue.optional(), {
        description: 'true: changes the monitor of this name; what is not given stays',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .superRefine(requireWhenNew(['query'])),
  answer: z.strictObject({
    name: z.string(),
    owner: z.string(),
    enabled: z.boolean(),
    /** The next five. */
    nextRuns: z.array(z.string()),
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
