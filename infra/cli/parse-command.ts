// The command line of the product. Wrong usage is answered with the reason and exit status 2.
import { parseArgs } from 'node:util'
import { PROCESSES, type ProcessKind, SUPERVISED } from '../supervisor/processes.ts'

export type Command =
  | { kind: 'start' | 'config' | 'version' | 'help'; configFile: string | undefined }
  | { kind: 'adopt-data' | 'adopt-event-log' | 'doctor'; configFile: string | undefined }
  | { kind: 'role'; process: ProcessKind; configFile: string | undefined }
  | { kind: 'reset-password' | 'reset-token'; name: string; configFile: string | undefined }
  | { kind: 'restore'; backup: string; isDryRun: boolean; configFile: string | undefined }
  | { kind: 'rekey-secrets'; isLossAccepted: boolean; configFile: string | undefined }
  | { kind: 'certificate'; hosts: readonly string[]; configFile: string | undefined }

export const USAGE = `usage: logeye <command> [--config <file.json>]

  start                    run everything on this machine
  config                   print the settings in force and where each came from
  doctor                   say whether what is kept is whole; exit status 1 when it is not
  reset-password <user>    give a user a new password and print it
  reset-token <account>    give a listener account a new token and print it
  restore <backup>         bring a backup back into an empty data directory; --dry-run only checks it
  adopt-data               go on with the events of a data directory after its database was lost
  adopt-event-log          give up what a lost topic, or the damaged embedded event log, held unstored
  rekey-secrets [--accept-loss]
                           encrypt the secrets of accounts with a new key; --accept-loss: also when
                           some cannot be read any more
  certificate [<host>...]  make a self-signed certificate for development
  role <process>           run one process: ${SUPERVISED.join(', ')}, or all in one (debugging)
  version                  print the version
  help                     print this

Settings are environment names (LOGEYE_HTTP_PLAIN_PORT=8080) or keys of the file; 'logeye config' lists them.`

export class UsageError extends Error {
  constructor(reason: string) {
    super(`logeye: ${reason}\n\n${USAGE}`)
    this.name = 'UsageError'
  }
}

/** Throws UsageError. */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parseOptions(argv)
  const [name, ...rest] = positionals
  const configFile = values.config
  if (values.help || name === 'help') return { kind: 'help', configFile }
  if (values['dry-run'] === true && name !== 'restore')
    throw new UsageError("only 'restore' takes --dry-run")
  const isLossAccepted = values['accept-loss'] === true
  if (isLossAccepted && name !== 'rekey-secrets')
    throw new UsageError('--accept-loss belongs to rekey-secrets')
  switch (name) {
    case undefined:
      throw new UsageError('a command is missing')
    case 'start':
    case 'config':
    case 'doctor':
    case 'adopt-data':
    case 'adopt-event-log':
    case 'version':
      takeNone(name, rest)
      return { kind: name, configFile }
    case 'role':
      return { kind: name, process: readProcess(takeOne(name, 'process', rest)), configFile }
    case 'reset-password':
      return { kind: name, name: takeOne(name, 'user', rest), configFile }
    case 'reset-token':
      return { kind: name, name: takeOne(name, 'account', rest), configFile }
    case 'restore':
      return {
        kind: name,
        backup: takeOne(name, 'backup', rest),
        isDryRun: values['dry-run'] === true,
        configFile,
      }
    case 'rekey-secrets':
      takeNone(name, rest)
      return { kind: name, isLossAccepted, configFile }
    case 'certificate':
      return { kind: name, hosts: rest, configFile }
    default:
      throw new UsageError(`there is no command '${name}'`)
  }
}

function parseOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        'dry-run': { type: 'boolean' },
        'accept-loss': { type: 'boolean' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read')
  }
}

function takeNone(command: string, rest: readonly string[]): void {
  if (rest.length > 0)
    throw new UsageError(`'${command}' takes no argument, '${rest[0]}' was given`)
}

function takeOne(command: string, what: string, rest: readonly string[]): string {
  const [value, ...more] = rest
  if (value === undefined || value === '') throw new UsageError(`'${command}' needs a ${what}`)
  if (more.length > 0)
    throw new UsageError(`'${command}' takes one ${what}, '${more[0]}' is too much`)
  return value
}

function readProcess(name: string): ProcessKind {
  if (!isProcessKind(name)) throw new UsageError(`there is no process '${name}'`)
  return name
}

function isProcessKind(name: string): name is ProcessKind {
  return Object.hasOwn(PROCESSES, name)
}
