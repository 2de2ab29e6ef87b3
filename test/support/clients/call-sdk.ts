// One call of the SDK's channel, without the client.
import { z } from 'zod'

const envelope = z.object({
  success: z.boolean(),
  errorMessage: z.string().nullable(),
  response: z.unknown(),
})
const LIMIT_MS = 120_000
export type SdkReply = z.infer<typeof envelope> & { readonly status: number }

export async function callSdk(
  { url, password, user = 'admin' }: { url: string; password: string; user?: string },
  command: string,
  given: Readonly<Record<string, string>> = {},
): Promise<SdkReply> {
  const login = Buffer.from(`${user}:${password}`).toString('base64')
  const answer = await fetch(`${url}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${login}` },
    body: JSON.stringify(given),
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return { ...envelope.parse(await answer.json()), status: answer.status }
}
