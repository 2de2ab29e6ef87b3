// The command line as typed -> what to do (decision 8.1). Pure. Client arguments and the command's
// own stand in any order.

import type { z } from 'zod'
import { trimEnd } from '../../../schemas/names/trim-end.ts'
import {
  CLIENT_COMMAND_NAMES,
  CLIENT_COMMANDS,
  type ClientCommandName,
  describeFault,
  isClientCommandName,
  isSdkCommandName,
  listArguments,
  SDK_COMMAND_NAMES,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import type { ImportInput } from '../../../schemas/sdk/import-file.ts'

export type ClientArgument = {
  readonly name: string
  readonly description: string
  readonly hint: string
  readonly isFlag?: boolean
}

export const CLIENT_ARGUMENTS: readonly ClientArgument[] = [
  {
    name: 'productURL',
    description: 'address of the product',
    hint: 'http(s)://<host>:<port>/logeye',
  },
  { name: 'user', description: 'sign-in name; not needed while security is off', hint: '<user>' },
  {
    name: 'password',
    description: 'also from LOGEYE_PASSWORD, or asked for without echo',
    hint: '<password>',
  },
  {
    name: 'token',
    description: 'API token instead of -user and -password; also from LOGEYE_TOKEN',
    hint: 'tok_…',
  },
  {
    name: 'signInCode',
    description:
      'code of the second factor, or a recovery code: the call signs in for itself and out again',
    hint: '123456',
  },
  { name: 'api', description: 'the command', hint: '<command>' },
  { name: 'output', description: 'how the answer is printed; default text', hint: 'json|text' },
  {
    name: 'keystore',
    description:
      'trust store for HTTPS, PEM or PKCS#12; default the file .keystore beside the client',
    hint: '<file>',
  },
  {
    name: 'keystorePassword',
    description: 'password of a PKCS#12 trust store',
    hint: '<password>',
  },
  {
    name: 'insecure',
    description: 'takes any certificate: anyone between client and server can read the password',
    hint: 'true|false',
    isFlag: true,
  },
  { name: 'timeout', description: 'seconds for the whole call; default 30', hint: '1-600' },
  {
    name: 'completion',
    description: 'prints a script by which this shell completes commands and arguments',
    hint: 'bash|zsh|fish',
  },
  {
    name: 'help',
    description: 'help on the client, or with -api on one command',
    hint: '',
    isFlag: true,
  },
]

export type Call = ClientOptions & {
  readonly kind: 'call'
  readonly command: SdkCommandName
  readonly commandArguments: Readonly<Record<string, string>>
}

export type ImportCall = ClientOptions & {
  readonly kind: 'import'
  readonly given: ImportInput
}

type ClientOptions = {
  /** Of the SDK channel, with a slash at its end. */
  readonly url: URL
  readonly user: string | undefined
  readonly password: string | undefined
  readonly token: string | undefined
  readonly signInCode: string | undefined
  readonly output: 'json' | 'text'
  readonly keystore: string | undefined
  readonly keystorePassword: string | undefined
  readonly isInsecure: boolean
  readonly timeoutMs: number
}

/** That -completion prints a script for. */
const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export type CommandLine =
  | Call
  | ImportCall
  | { readonly kind: 'completion'; readonly shell: Shell }
  | { readonly kind: 'help'; readonly command: SdkCommandName | ClientCommandName | undefined }
  | { readonly kind: 'wrong'; readonly reason: string }

/** One list for all commands: which words stand alone must be known before the command is. */
const FLAGS: ReadonlySet<string> = new Set(
  [...CLIENT_ARGUMENTS, ...[...SDK_COMMAND_NAMES, ...CLIENT_COMMAND_NAMES].flatMap(listArguments)]
    .filter((one) => one.isFlag)
    .map((one) => one.name),
)

/** Of an argument. */
const NAME = /^-[A-Za-z]/

const DEFAULT_TIMEOUT_SECONDS = 30
const MAX_TIMEOUT_SECONDS = 600

export function parseArguments(words: readonly string[]): CommandLine {
  const pairs = readPairs(words)
  if (typeof pairs === 'string') return wrong(pairs)
  const api = pairs.get('api')
  const command =
    api !== undefined && (isSdkCommandName(api) || isClientCommandName(api)) ? api : undefined
  if (api !== undefined && command === undefined)
    return wrong(`there is no command ${api}, see -help`)
  if (pairs.has('help')) return { kind: 'help', command }
  const completed = pairs.get('completion')
  if (completed !== undefined) {
    const shell = SHELLS.find((one) => one === completed)
    return shell === undefined
      ? wrong(`-completion: must be ${SHELLS.join(', ')}`)
      : { kind: 'completion', shell }
  }
  if (command === undefined) return wrong('-api is missing')
  const url = parseProductUrl(pairs.get('productURL'))
  if (typeof url === 'string') return wrong(url)
  const output = pairs.get('output') ?? 'text'
  if (output !== 'json' && output !== 'text') return wrong('-output: must be json or text')
  const insecure = pairs.get('insecure') ?? 'false'
  if (insecure !== 'true' && insecure !== 'false') return wrong('-insecure: must be true or false')
  const timeoutSeconds = parseTimeout(pairs.get('timeout'))
  if (timeoutSeconds === undefined)
    return wrong(`-timeout: must be 1 to ${MAX_TIMEOUT_SECONDS} seconds`)
  const commandArguments = Object.fromEntries([...pairs].filter(([name]) => !isClientName(name)))
  if (pairs.has('token') && (pairs.has('user') || pairs.has('password')))
    return wrong('-token: not together with -user and -password')
  if (pairs.has('signInCode') && !pairs.has('user')) return wrong('-signInCode: needs -user')
  const options = {
    url,
    user: pairs.get('user'),
    password: pairs.get('password'),
    token: pairs.get('token'),
    signInCode: pairs.get('signInCode'),
    output,
    keystore: pairs.get('keystore'),
    keystorePassword: pairs.get('keystorePassword'),
    isInsecure: insecure === 'true',
    timeoutMs: timeoutSeconds * 1000,
  } as const
  if (isClientCommandName(command)) {
    const parsed = CLIENT_COMMANDS[command].input.safeParse(commandArguments)
    if (!parsed.success) return wrongArgument(commandArguments, parsed.error)
    return { ...options, kind: 'import', given: parsed.data }
  }
  const parsed = SDK_COMMANDS[command].input.safeParse(commandArguments)
  if (!parsed.success) return wrongArgument(commandArguments, parsed.error)
  return { ...options, kind: 'call', command, commandArguments }
}

function wrongArgument(given: object, error: z.ZodError): CommandLine {
  const { argument, reason } = describeFault(given, error)
  return wrong(`-${argument}: ${reason}`)
}

function wrong(reason: string): CommandLine {
  return { kind: 'wrong', reason }
}

/** The word after a name is its value whatever it looks like: passwords may begin with `-`. Only a
 *  flag may stand alone: before another name, or at the end. */
function readPairs(words: readonly string[]): Map<string, string> | string {
  const pairs = new Map<string, string>()
  for (let index = 0; index < words.length; ) {
    const word = words[index] ?? ''
    const next = words[index + 1]
    if (!NAME.test(word)) return `${JSON.stringify(word)} is not an argument: names begin with -`
    const name = word.slice(1)
    if (pairs.has(name)) return `-${name} stands twice`
    const isAlone = FLAGS.has(name) && (name === 'help' || next === undefined || NAME.test(next))
    if (!isAlone && next === undefined) return `-${name}: its value is missing`
    pairs.set(name, isAlone ? 'true' : (next ?? ''))
    index += isAlone ? 1 : 2
  }
  return pairs
}

function isClientName(name: string): boolean {
  return CLIENT_ARGUMENTS.some((one) => one.name === name)
}

/** Gives the address of the SDK channel, with a `/` at its end. */
function parseProductUrl(text: string | undefined): URL | string {
  if (text === undefined) return '-productURL is missing'
  if (!URL.canParse(text)) return '-productURL: must be http(s)://<host>:<port>/logeye'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return '-productURL: must begin with http:// or https://'
  if (url.username !== '' || url.password !== '')
    return '-productURL: holds credentials, give -user and -password'
  const path = trimEnd(url.pathname, '/')
  if (path !== '/logeye') return '-productURL: must end with /logeye'
  return new URL('/logeye/sdk/', url)
}

function parseTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return DEFAULT_TIMEOUT_SECONDS
  if (!/^\d{1,3}$/.test(text)) return undefined
  const seconds = Number(text)
  return seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS ? seconds : undefined
}
