// Reads and changes product settings.
import { z } from 'zod'
import { isSecretSetting, isSettingName, OWN_ARGUMENTS, SETTINGS } from '../settings.ts'
import { objectNameSchema } from '../users.ts'
import { argument, type CommandEntry } from './argument.ts'
import { flagValue, refusedValue, timeZoneValue, wholeNumberValue } from './values.ts'

const portValue = wholeNumberValue(1, 65_535).transform(String)

export const settings = {
  name: 'settings',
  help: 'Reads and changes product settings.',
  operation: 'system.settings',
  sees: { kind: 'paths', paths: ['setting'] },
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
            if (isSecretSetting(name)) {
              const message = `is a secret: give it with -${name.slice('system.'.length)}`
              context.addIssue({ code: 'custom', message })
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
      httpPort: argument(portValue.optional(), {
        description:
          'as -set system.httpPort=…: from the next restart on; refused where LOGEYE_HTTP_PLAIN_PORT says it',
        hint: '1-65535',
      }),
      httpsPort: argument(portValue.optional(), {
        description:
          'as -set system.httpsPort=…: from the next restart on; refused where LOGEYE_HTTP_TLS_PORT says it',
        hint: '1-65535',
      }),
      portalUrl: argument(SETTINGS['system.portalUrl'].value.optional(), {
        description:
          'as -set system.portalUrl=…: usage is reported to this portal; an empty one ends it',
        hint: 'https://…',
      }),
      portalLicenseKey: argument(SETTINGS['system.portalLicenseKey'].value.optional(), {
        description:
          'licence key that the portal gave; never shown again. Given anew, the product registers anew',
        hint: 'lic_…',
        isSecret: true,
      }),
    })
    .superRefine((input, context) => {
      const { list, get, set, reset, timeZone, appTag } = input
      const own = Object.entries(OWN_ARGUMENTS).flatMap(([argument, name]) =>
        Object.hasOwn(input, argument) && !(argument === 'timeZone' && appTag !== undefined)
          ? [name]
          : [],
      )
      const isAsked = own.length > 0 || [get, set, reset, appTag].some((one) => one !== undefined)
      const refuse = (argument: string, message: string) =>
        context.addIssue({ code: 'custom', path: [argument], message })
      if (appTag !== undefined && timeZone === undefined)
        refuse('timeZone', 'is missing beside -appTag')
      if (appTag === undefined && timeZone === null) refuse('timeZone', 'must not be empty')
      const changed: readonly (string | undefined)[] = [set?.name, ...own]
      if (reset !== undefined && changed.includes(reset))
        refuse('reset', 'not together with a new value of the same setting')
      if (list !== true && !isAsked) refuse('list', 'nothing to do is given')
    }),
  /** Values in force as text, by name; `appTag.<name>` is the zone of a tag, `notes` what has no
   *  effect yet, or not before a restart. */
  answer: z.record(z.string(), z.string()),
} as const satisfies CommandEntry
