// The command line of the product. Wrong usage is answered with the reason and exit status 2.
import { parseArgs } from 'node:util'
import { PROCESSES, type ProcessKind, SUPERVISED } from '../supervisor/processes.ts'

export type Command =
  | { kind: 'start'; isPatched: boolean; configFile: string | undefined }
  | { kind: 'config' | 'version' | 'help'; configFile: string | undefined }
  | { kind: 'apply-patch'; file: string; configFile: string | undefined }
  | { kind: 'adopt-data' | 'adopt-event-log' | 'doctor'; configFile: string | undefined }
  | { kind: 'role'; process: ProcessKind; configFile: string | undefined }
  | { kind: 'portal'; action: PortalAction; seed: number; configFile: string | undefined }
  | { kind: 'reset-password' | 'reset-token'; name: string; configFile: string | undefined }
  | { kind: 'restore'; backup: string; isDryRun: boolean; configFile: string | undefined }
  | { kind: 'rekey-secrets'; isLossAccepted: boolean; configFile: string | undefined }
  | {
      kind: 'reconcile'
      days: number
      by: 'hour' | 'day'
      user: string
      configFile: string | undefined
    }
  | {
      kind: 'verify-evidence'
      file: string
      key: string | undefined
      head: string | undefined
      configFile: string | undefined
    }
  | { kind: 'certificate'; hosts: readonly string[]; configFile: string | undefined }

/** The portal keeps no more. */
const MAX_DAYS = 400

export const PORTAL_ACTIONS = ['init', 'demo', 'backup'] as const
export type PortalAction = (typeof PORTAL_ACTIONS)[number]

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
  reconcile [--days 7] [--by hour|day] [--user admin]
                           compare the stored volume in search, counters, reports and portal; exit
                           status 1 where it differs
  apply-patch <archive>    check a patch and make it ready for the next start
  verify-evidence <file> [--key <public key>] [--head <file>]
                           check an exported evidence without the product; exit status 1 where it
                           was changed
  certificate [<host>...]  make a self-signed certificate for development
  portal init              make the first operator of the portal, and print its token once
  portal demo [--seed <n>] fill an empty portal with organizations, usage, prices and offers to try
  portal backup            copy the embedded portal as of one moment, while it works
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
  if (values.seed !== undefined && (name !== 'portal' || rest[0] !== 'demo'))
    throw new UsageError("only 'portal demo' takes --seed")
  const isLossAccepted = values['accept-loss'] === true
  if (isLossAccepted && name !== 'rekey-secrets')
    throw new UsageError('--accept-loss belongs to rekey-secrets')
  if (name !== 'verify-evidence')
    for (const option of ['key', 'head'] as const)
      if (values[option] !== undefined)
        throw new UsageError(`--${option} belongs to verify-evidence`)
  if (name !== 'reconcile')
    for (const option of ['days', 'by', 'user'] as const)
      if (values[option] !== undefined) throw new UsageError(`--${option} belongs to reconcile`)
  switch (name) {
    case undefined:
      throw new UsageError('a command is missing')
    case 'start':
      takeNone(name, rest)
      return { kind: name, isPatched: values.patched === true, configFile }
    case 'apply-patch':
      return { kind: name, file: takeOne(name, 'patch archive', rest), configFile }
    case 'config':
    case 'doctor':
    case 'adopt-data':
    case 'adopt-event-log':
    case 'version':
      takeNone(name, rest)
      return { kind: name, configFile }
    case 'role':
      return { kind: name, process: readProcess(takeOne(name, 'process', rest)), configFile }
    case 'portal':
      return {
        kind: name,
        action: readPortalAction(takeOne(name, 'action', rest)),
        seed: readSeed(values.seed),
        configFile,
      }
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
    case 'reconcile': {
      takeNone(name, rest)
      const { days = '7', by = 'day', user = 'admin' } = values
      if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS)
        throw new UsageError(`--days must be from 1 to ${MAX_DAYS}`)
      if (by !== 'hour' && by !== 'day') throw new UsageError('--by must be hour or day')
      return { kind: name, days: Number(days), by, user, configFile }
    }
    case 'verify-evidence': {
      const { key, head } = values
      return { kind: name, file: takeOne(name, 'file', rest), key, head, configFile }
    }
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
        seed: { type: 'string' },
        days: { type: 'string' },
        by: { type: 'string' },
        user: { type: 'string' },
        key: { type: 'string' },
        head: { type: 'string' },
        // For the launcher alone.
        patched: { type: 'boolean' },
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

function readPortalAction(name: string): PortalAction {
  const action = PORTAL_ACTIONS.find((one) => one === name)
  if (action === undefined)
    throw new UsageError(`'portal' takes ${PORTAL_ACTIONS.join(' or ')}, '${name}' was given`)
  return action
}

function readSeed(text = '1'): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--seed takes a whole number of up to 9 digits')
  return Number(text)
}

function readProcess(name: string): ProcessKind {
  if (!isProcessKind(name)) throw new UsageError(`there is no process '${name}'`)
  return name
}

function isProcessKind(name: string): name is ProcessKind {
  return Object.hasOwn(PROCESSES, name)
}
