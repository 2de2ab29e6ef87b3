// Makes or changes a monitor.
import { z } from 'zod'
import { SEVERITIES } from '../../monitors/monitor.ts'
import { escalationValue } from '../../monitors/monitor-values.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { requireWhenNew } from '../book-account.ts'
import { flagValue, listValue, textValue, wholeNumberValue } from '../values.ts'
import { MONITOR_ARGUMENTS as M } from './monitor-arguments.ts'

const template = (what: string) =>
  argument(textValue.optional(), {
    description: `${what}, with \${monitor}, \${severity}, \${group}, \${count}, \${event}, \${query}, \${opened}, \${time}, \${rows}, \${link}, and \\n for a new line; empty for the usual one`,
    hint: '<text>',
  })

export const addMonitor = {
  name: 'addMonitor',
  help: 'Makes a monitor: a search that runs by a schedule with the rights of its owner, and opens an alert when its rule says so. Each due time is run once.',
  operation: 'data.monitors',
  sees: { kind: 'paths', paths: ['monitor'] },
  target: 'name',
  input: z
    .strictObject({
      name: argument(objectNameSchema, {
        description: 'name of the monitor; letter case does not tell two apart',
        hint: '<name>',
      }),
      query: M.query,
      sources: M.sources,
      owner: argument(textValue.optional(), {
        description:
          'user with whose rights it runs; default whoever makes it; only administrators may name another',
        hint: '<user>',
      }),
      schedule: M.schedule,
      timeZone: M.timeZone,
      businessHours: M.businessHours,
      window: M.window,
      delaySeconds: M.delaySeconds,
      rule: M.rule,
      groupBy: M.groupBy,
      severity: argument(z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`).optional(), {
        description: 'default medium',
        hint: SEVERITIES.join('|'),
      }),
      once: argument(flagValue.optional(), {
        description: 'true: told once while it fails; false: at each run that fails; default true',
        hint: 'true|false',
        isFlag: true,
      }),
      openAfter: M.openAfter,
      closeAfter: M.closeAfter,
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
