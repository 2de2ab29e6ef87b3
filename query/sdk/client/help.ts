// Help texts of the client, from the published argument table.
import {
  CLIENT_COMMAND_NAMES,
  type ClientCommandName,
  listArguments,
  publishedEntry,
  SDK_COMMAND_NAMES,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import { CLIENT_ARGUMENTS } from './arguments.ts'

const INVOCATION =
  'logeye-sdk -productURL <url>/logeye -user <user> -password <password> -api <command> [arguments]'

export function printHelp(command: SdkCommandName | ClientCommandName | undefined): string {
  return command === undefined ? printClientHelp() : printCommandHelp(command)
}

function printClientHelp(): string {
  const names = [...SDK_COMMAND_NAMES, ...CLIENT_COMMAND_NAMES]
  const commands = names.map((name) => `  ${name}\n      ${publishedEntry(name).help}`)
  const own = CLIENT_ARGUMENTS.map((one) => printArgument(one, ''))
  return [
    INVOCATION,
    '',
    'Arguments:',
    ...own,
    '',
    'Commands (more with -api <command> -help):',
    ...commands,
    '',
    'Exit codes: 0 done, 1 refused by the product, 2 wrong usage, 3 not reachable, 4 sign-in failed',
    '',
  ].join('\n')
}

function printCommandHelp(command: SdkCommandName | ClientCommandName): string {
  const lines = listArguments(command).map((one) =>
    printArgument(one, one.isRequired ? ' (required)' : ''),
  )
  return [`${command}: ${publishedEntry(command).help}`, '', ...lines, ''].join('\n')
}

function printArgument(
  argument: { name: string; hint: string; description: string },
  mark: string,
): string {
  return `${`  -${argument.name} ${argument.hint}`.trimEnd()}${mark}\n      ${argument.description}`
}
