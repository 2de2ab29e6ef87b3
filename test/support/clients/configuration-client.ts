// Commands of the SDK and reads of the configuration against an app that is called without a
// socket.
import { isSdkCommandName, SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'

export type Credentials = { readonly name: string; readonly password: string }
type Call = (path: string, init?: RequestInit) => Promise<Response>
type Given = Record<string, string> | [string, string][]
export type Envelope = {
  readonly success: boolean
  readonly errorMessage: string | null
  readonly response: unknown
  readonly httpStatusCode: number
}

export function makeConfigurationClient(call: Call, user: Credentials) {
  const basic = Buffer.from(`${user.name}:${user.password}`).toString('base64')
  const authorization = `Basic ${basic}`
  const address = (path: string, given: Given) => `/logeye/${path}?${new URLSearchParams(given)}`
  const get = (path: string, given: Given = {}, accept = '*/*') =>
    call(address(path, given), { headers: { authorization, accept } })
  const read = async (path: string, given: Readonly<Record<string, string>> = {}) => {
    const answer = await get(`restapi/${path}`, given, 'application/json')
    const envelope: Envelope = JSON.parse(await answer.text())
    if (envelope.httpStatusCode !== answer.status) throw new Error('two statuses')
    return envelope
  }
  return {
    get,
    read,
    /** Of an SDK command; an answer that was not published fails the test. */
    do: async (command: string, given: Readonly<Record<string, string>>): Promise<Envelope> => {
      const answer = await call(`/logeye/sdk/${command}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(given),
      })
      const envelope: Envelope = JSON.parse(await answer.text())
      if (envelope.success && isSdkCommandName(command))
        SDK_COMMANDS[command].answer.parse(envelope.response)
      return envelope
    },
    rows: async (given: Readonly<Record<string, string>> = {}) => {
      const text = await (await get('restapi/logs-configuration', given)).text()
      return text.split('\n').slice(0, -1)
    },
  }
}
