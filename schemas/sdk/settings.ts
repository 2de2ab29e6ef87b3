// Reads and changes product settings.
import { z } from 'zod'
import { isSettingName, SETTINGS } from '../settings.ts'
import { argument, type CommandEntry } from './argument.ts'
import { flagValue, refusedValue, timeZoneValue } from './values.ts'

export const settings = {
  name: 'settings',
  help: 'Reads and changes product settings.',
  operation: 'system.settings',
  target: 'set',
  input: z
    .strictObject({
      list: argument(flagValue.optional(), {
        description: 'answers with every setting',
        hint: 'true|false',
        isFlag: true,
      }),
      get: argument(z.string().refine(isSettingName, 'there is no such setting').optional(), {
        description: 'answers with one setting',
        hint: '<name>',
      }),
      set: argument(
        z
          .string()
          .transform((text, context) => {
            const [left = '', ...rest] = text.split('=')
            const name = left.trim()
            if (rest.length === 0 || !isSettingName(name)) {
              context.addIssue({ code: 'custom', message: 'must be <name>=<value> of a setting' })
              return z.NEVER
            }
            return { name, value: rest.join('=') }
          })
          .transform(({ name, value }, context) => {
            const checked = SETTINGS[name].value.safeParse(value)
            for (const issue of checked.error?.issues ?? [])
              context.addIssue({ code: 'custom', message: issue.message })
            return { name, value: checked.data ?? value }
          })
          .optional(),
        {
          description: 'changes one setting; in force everywhere within a second',
          hint: '<name>=<value>',
        },
      ),
      reset: argument(z.string().refine(isSettingName, 'there is no such setting').optional(), {
        description:
          'gives one setting its default again; the time zone becomes that of the machine',
        hint: '<name>',
      }),
      security: argument(flagValue.optional(), {
        description: 'as -set system.security=…: false lets everybody act as administrator',
        hint: 'true|false',
        isFlag: true,
      }),
      timeZone: argument(
        timeZoneValue.refine((zone) => zone !== null, 'must not be empty').optional(),
        { description: 'as -set system.timeZone=…', hint: 'Europe/Berlin' },
      ),
      agentMode: argument(refusedValue('this system has no agent mode').optional(), {
        description: 'refused: there is no agent mode',
        hint: 'true|false',
      }),
      timeZoneMode: argument(refusedValue('times are shown in the system time zone').optional(), {
        description: 'refused: times are shown in the system time zone',
        hint: 'system|dynamic|tag',
      }),
      httpPort: argument(
        refusedValue('ports are process configuration, set LOGEYE_HTTP_PLAIN_PORT').optional(),
        { description: 'refused: set LOGEYE_HTTP_PLAIN_PORT', hint: '<port>' },
      ),
      httpsPort: argument(
        refusedValue('ports are process configuration, set LOGEYE_HTTP_TLS_PORT').optional(),
        { description: 'refused: set LOGEYE_HTTP_TLS_PORT', hint: '<port>' },
      ),
    })
    .superRefine((input, context) => {
      const { list, get, set, reset, security, timeZone } = input
      const isAsked = [get, set, reset, security, timeZone].some((value) => value !== undefined)
      const changed = [
        set?.name,
        security === undefined ? undefined : 'system.security',
        timeZone === undefined ? undefined : 'system.timeZone',
      ]
      if (reset !== undefined && changed.includes(reset))
        context.addIssue({
          code: 'custom',
          path: ['reset'],
          message: 'not together with a new value of the same setting',
        })
      if (list !== true && !isAsked)
        context.addIssue({ code: 'custom', path: ['list'], message: 'nothing to do is given' })
    }),
  /** Values in force as text, by name. */
  answer: z.record(z.string(), z.string()),
} as const satisfies CommandEntry
