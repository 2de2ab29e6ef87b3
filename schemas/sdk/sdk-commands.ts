// The published argument table of the SDK (decision 8.4): the client's check and help, the server's check, and the manual
// docs/reference/sdk.md come from it. Every argument is text; a schema makes the value. Unknown arguments are refused.
import { z } from 'zod'
import { isSettingName, SETTINGS } from '../settings.ts'
import { objectNameSchema, passwordSchema, userNameSchema } from '../users.ts'
import { type ArgumentMeta, argument, type CommandEntry } from './sdk-argument.ts'
import { replayRejected } from './sdk-replay-rejected.ts'
import {
  flagValue,
  listValue,
  logNamePrefixValue,
  maskV4Value,
  maskV6Value,
  nodeNameValue,
  parentFolderValue,
  pathValue,
  refusedValue,
  sourceSplitValue,
  splitColumnsValue,
  textValue,
  timeZoneValue,
  wholeNumberValue,
} from './sdk-values.ts'

const accountName = argument(objectNameSchema, {
  description: 'name of the listener account; letter case does not tell two apart',
  hint: '<name>',
})

const addListener = {
  help: 'Makes an HTTP/S listener account and answers with its token, which is shown this once.',
  operation: 'data.listeners',
  target: 'name',
  input: z.strictObject({
    name: accountName,
    update: argument(flagValue.optional(), {
      description:
        'true: changes the account of this name; what is not given stays; applies to data received from then on',
      hint: 'true|false',
      isFlag: true,
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    enabled: argument(flagValue.optional(), {
      description: 'whether its token is accepted; default true',
      hint: 'true|false',
      isFlag: true,
    }),
    parentFolder: argument(parentFolderValue.optional(), {
      description: 'folder under which its logs are made; default Events',
      hint: 'Web->Edge',
    }),
    collectionPolicy: argument(objectNameSchema.optional(), {
      description: 'collection policy of its logs; default Default',
      hint: '<name>',
    }),
    appTags: argument(listValue.optional(), {
      description: 'tags of its logs; a tag that does not exist is made',
      hint: 'a,b',
    }),
    logNamePrefix: argument(logNamePrefixValue.optional(), {
      description: 'first part of its log names; empty for none',
      hint: '<text>',
    }),
    splitBySource: argument(sourceSplitValue.optional(), {
      description:
        'one log; one log for each source, named prefix plus source; or one for each network, named prefix plus mask; default Do Not Split',
      hint: 'Do Not Split|Create Log by Unique IP/Host Name|Create Log by IP Mask (none|source|mask)',
    }),
    ipMask: argument(maskV4Value.optional(), {
      description: 'bits of an IPv4 address that name its network; default 24',
      hint: '24|255.255.255.0',
    }),
    ipMaskV6: argument(maskV6Value.optional(), {
      description: 'bits of an IPv6 address that name its network; default 64',
      hint: '64',
    }),
    messageKeys: argument(listValue.optional(), {
      description:
        'Message JSON Key: keys of the body that may hold the message, the first present counts; default message,msg,log,event',
      hint: 'message,log',
    }),
    splitColumns: argument(splitColumnsValue.optional(), {
      description:
        'Split by JSON Columns: keys whose values build the log path, the last one the log name; * marks the host key',
      hint: 'env->service->host*',
    }),
    timeKey: argument(textValue.optional(), {
      description:
        'key of the body that holds the time, tried before the usual ones; empty for none',
      hint: '<key>',
    }),
    timeZone: argument(timeZoneValue.optional(), {
      description: 'zone of times that name none; empty for the system time zone',
      hint: 'Europe/Berlin',
    }),
    jsonParsingLevel: argument(wholeNumberValue(0, 32).optional(), {
      description: 'how many levels of JSON become columns: 0 none, 1 the top level; default 3',
      hint: '0-32',
    }),
    listeningNode: argument(nodeNameValue.optional(), {
      description:
        'in a system of several nodes: only this one takes its events, at others its token is not accepted; empty for every node; refused where there is one node',
      hint: '<node>',
    }),
    dataLocation: argument(
      refusedValue(
        'received data lies in the data directory of the product (LOGEYE_DATA_DIR), not by account',
      ).optional(),
      { description: 'Listener Data Location: refused, see LOGEYE_DATA_DIR', hint: '<directory>' },
    ),
    indexingNode: argument(
      refusedValue('every writer indexes what it stores, no node can be chosen').optional(),
      { description: 'refused: every writer indexes what it stores', hint: '<node>' },
    ),
    indexingInterval: argument(
      refusedValue('events are indexed all the time, as they are stored').optional(),
      {
        description: 'refused: events are indexed all the time, as they are stored',
        hint: '<seconds>',
      },
    ),
  }),
} as const satisfies CommandEntry

const enableAccount = {
  help: 'Enables or disables an account. The token of a disabled one is refused within a second.',
  operation: 'data.listeners',
  target: 'name',
  input: z.strictObject({
    name: accountName,
    enabled: argument(flagValue, {
      description: 'true to enable, false to disable',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
} as const satisfies CommandEntry

const removeAccount = {
  help: 'Removes an account. Its token is refused within a second; data received with it stays as it is.',
  operation: 'data.listeners',
  target: 'name',
  input: z.strictObject({ name: accountName }),
} as const satisfies CommandEntry

const securityUsers = {
  help: 'Adds, edits or removes a user.',
  operation: 'system.security',
  target: 'userName',
  input: z
    .strictObject({
      action: argument(z.enum(['add', 'edit', 'remove'], 'must be add, edit or remove'), {
        description: 'edit changes what is given and leaves the rest',
        hint: 'add|edit|remove',
      }),
      userName: argument(userNameSchema, {
        description: 'sign-in name; letter case does not tell two apart',
        hint: '<name>',
      }),
      displayName: argument(textValue.optional(), {
        description: 'name to show; default the sign-in name',
        hint: '<text>',
      }),
      userPassword: argument(passwordSchema.optional(), {
        description: 'password, at least 8 characters; required with add',
        hint: '<password>',
        isSecret: true,
      }),
      groups: argument(listValue.optional(), {
        description: 'groups of the user; everyone is in the group everyone',
        hint: 'a,b',
      }),
      policy: argument(textValue.optional(), {
        description: 'own policy beside those of the groups; empty for none',
        hint: 'administrators|view only',
      }),
      enabled: argument(flagValue.optional(), {
        description: 'false: the user cannot sign in; default true',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .superRefine((input, context) => {
      if (input.action === 'add' && input.userPassword === undefined)
        context.addIssue({ code: 'custom', path: ['userPassword'], message: 'is missing' })
    }),
} as const satisfies CommandEntry

const setPermissions = {
  help: 'Sets who may view a folder or a log. Rights pass down to what sets none of its own; administrators see everything.',
  operation: 'system.security',
  target: 'path',
  input: z
    .strictObject({
      path: argument(pathValue, {
        description: 'folder path, or folder path and log name; ROOT for everything',
        hint: 'Web->Edge->access',
      }),
      type: argument(z.enum(['folder', 'log'], 'must be folder or log'), {
        description: 'what the path names',
        hint: 'folder|log',
      }),
      viewGroups: argument(listValue.optional(), {
        description: 'groups that may view it; an empty list with no users: administrators only',
        hint: 'a,b',
      }),
      viewUsers: argument(listValue.optional(), {
        description: 'users that may view it',
        hint: 'a,b',
      }),
      inherit: argument(flagValue.optional(), {
        description: 'true: takes the viewers of its parent again',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .superRefine((input, context) => {
      const hasLists = input.viewGroups !== undefined || input.viewUsers !== undefined
      if (input.inherit === true && hasLists)
        context.addIssue({
          code: 'custom',
          path: ['inherit'],
          message: 'not together with -viewGroups or -viewUsers',
        })
      if (input.inherit !== true && !hasLists)
        context.addIssue({
          code: 'custom',
          path: ['viewGroups'],
          message: 'one of -viewGroups, -viewUsers, -inherit true is needed',
        })
      if (input.type === 'log' && input.path.length === 0)
        context.addIssue({ code: 'custom', path: ['path'], message: 'names no log' })
    }),
} as const satisfies CommandEntry

const settings = {
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
} as const satisfies CommandEntry

const acceptDamage = {
  help: 'Accepts the damage of the store that is named now: the events count as gone, and health and searches are quiet about them.',
  operation: 'system.operate',
  target: '',
  input: z.strictObject({}),
} as const satisfies CommandEntry

export const SDK_COMMANDS = {
  acceptDamage,
  addListener,
  enableAccount,
  removeAccount,
  replayRejected,
  securityUsers,
  setPermissions,
  settings,
} as const satisfies Record<string, CommandEntry>

export type SdkCommandName = keyof typeof SDK_COMMANDS
export type SdkInput<N extends SdkCommandName> = z.output<(typeof SDK_COMMANDS)[N]['input']>

export const SDK_COMMAND_NAMES = Object.keys(SDK_COMMANDS).filter(isSdkCommandName)

export function isSdkCommandName(name: string): name is SdkCommandName {
  return Object.hasOwn(SDK_COMMANDS, name)
}

export type PublishedArgument = ArgumentMeta & {
  readonly name: string
  readonly isRequired: boolean
}

/** The arguments of a command in the order of the table. */
export function listArguments(command: SdkCommandName): PublishedArgument[] {
  const entry: CommandEntry = SDK_COMMANDS[command]
  return Object.entries(entry.input.shape).map(([name, schema]) => ({
    name,
    isRequired: !(schema instanceof z.ZodOptional),
    ...argumentMetaSchema.parse(z.globalRegistry.get(schema)),
  }))
}

const argumentMetaSchema = z.object({
  description: z.string(),
  hint: z.string(),
  isFlag: z.boolean().optional(),
  isSecret: z.boolean().optional(),
})

export type SdkFault = { readonly argument: string; readonly reason: string }

/** The first fault of the input as a person reads it. */
export function describeFault(given: object, error: z.ZodError): SdkFault {
  const issue = error.issues[0]
  if (issue?.code === 'unrecognized_keys')
    return { argument: issue.keys[0] ?? '', reason: 'is no argument of this command' }
  const argument = String(issue?.path[0] ?? '')
  const isMissing = issue?.code !== 'custom' && !Object.hasOwn(given, argument)
  return { argument, reason: isMissing ? 'is missing' : (issue?.message ?? 'is not accepted') }
}
