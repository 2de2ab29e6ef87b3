// Reads and changes product settings.
import { z } from 'zod'
import { isSettingName, SETTINGS } from '../settings.ts'
import { objectNameSchema } from '../users.ts'
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
      timeZone: argument(timeZoneValue.optional(), {
        description: 'as -set system.timeZone=…; with -appTag the zone of that tag',
        hint: 'Europe/Berlin',
      }),
      agentMode: argument(refusedValue('this system has no agent mode').optional(), {
        description: 'refused: there is no agent mode',
        hint: 'true|false',
      }),
      appTag: argument(objectNameSchema.optional(), {
        description: 'app tag whose zone -timeZone is; an empty -timeZone takes its zone away',
        hint: '<name>',
      }),
      timeZoneMode: argument(SETTINGS['system.timeZoneMode'].value.optional(), {
        description: 'as -set system.timeZoneMode=…',
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
      const { list, get, set, reset, security, timeZone, appTag, timeZoneMode } = input
      const isAsked = [get, set, reset, security, timeZone, timeZoneMode, appTag].some(
        (value) => value !== undefined,
      )
      const refuse = (argument: string, message: string) =>
        context.addIssue({ code: 'custom', path: [argument], message })
      if (appTag !== undefined && timeZone === undefined)
        refuse('timeZone', 'is missing beside -appTag')
      if (appTag === undefined && timeZone === null) refuse('timeZone', 'must not be empty')
      const changed = [
        set?.name,
        security === undefined ? undefined : 'system.security',
        timeZone === undefined || appTag !== undefined ? undefined : 'system.timeZone',
        timeZoneMode === undefined ? undefined : 'system.timeZoneMode',
      ]
      if (reset !== undefined && changed.includes(reset))
        refuse('reset', 'not together with a new value of the same setting')
      if (list !== true && !isAsked) refuse('list', 'nothing to do is given')
    }),
  /** Values in force as text, by name; `appTag.<name>` is the zone of a tag, `notes` what has no
   *  effect yet. */
  answer: z.record(z.string(), z.string()),
} as const satisfies CommandEntry
