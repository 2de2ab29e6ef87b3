// Help texts of the client, from the published argument table.
import {
  listArguments,
  SDK_COMMAND_NAMES,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../schemas/sdk/commands.ts'
import { CLIENT_ARGUMENTS } from './arguments.ts'

const INVOCATION =
  'logeye-sdk -productURL <url>/logeye -user <user> -password <password> -api <command> [arguments]'

export function printHelp(command: SdkCommandName | undefined): string {
  return command === undefined ? printClientHelp() : printCommandHelp(command)
}

function printClientHelp(): string {
  const commands = SDK_COMMAND_NAMES.map((name) => `  ${name}\n      ${SDK_COMMANDS[name].help}`)
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

function printCommandHelp(command: SdkCommandName): string {
  const lines = listArguments(command).map((one) =>
    printArgument(one, one.isRequired ? ' (required)' : ''),
  )
  return [`${command}: ${SDK_COMMANDS[command].help}`, '', ...lines, ''].join('\n')
}

function printArgument(
  argument: { name: string; hint: string; description: string },
  mark: string,
): string {
  return `${`  -${argument.name} ${argument.hint}`.trimEnd()}${mark}\n      ${argument.description}`
}
