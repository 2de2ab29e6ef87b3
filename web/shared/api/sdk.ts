// The private channel of the product (decision 7.4): a command with its arguments as texts.
import type { SdkAnswer, SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { call } from './call.ts'

export type CommandArguments = Readonly<Record<string, string>>

/** Throws CallError with the server's own words: they name the argument. */
export function runCommand<Name extends SdkCommandName>(
  command: Name,
  given: CommandArguments,
  signal?: AbortSignal,
): Promise<SdkAnswer<Name>> {
  return call(`/logeye/sdk/${command}`, {
    body: given,
    ...(signal === undefined ? {} : { signal }),
  })
}
