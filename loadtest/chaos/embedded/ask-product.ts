// Questions of what is at work beside the senders of a campaign, to a product that faults strike.
import { callSdk } from '../../../test/support/clients/call-sdk.ts'

const CONNECT_TRIES = 3

export type Called = { readonly url: string; readonly password: string }

/** The answer of a command of the SDK. */
export async function must(
  target: Called,
  command: string,
  given: Readonly<Record<string, string>>,
) {
  const { success, errorMessage, response } = await callSdk(target, command, given)
  if (!success) throw new Error(`${command}: ${errorMessage}`)
  return response
}

/** A connection that a killed process left in the pool fails once, and is not in it afterwards. */
export async function connected<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof TypeError) || tries === CONNECT_TRIES) throw error
      console.log(`asked again: ${error.message}, ${String(error.cause)}`)
    }
}
