// A command to the product.
import { z } from 'zod'
import { type Connection, parseJson, postBody } from './post-body.ts'

const envelopeSchema = z.object({
  success: z.boolean(),
  errorMessage: z.string().nullable(),
  response: z.unknown(),
  httpStatusCode: z.number(),
})

type Envelope = z.infer<typeof envelopeSchema>

export type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly envelope: Envelope }
  | { readonly kind: 'unreachable'; readonly reason: string }

export async function sendCall(call: {
  readonly url: URL
  readonly body: string
  readonly authorization: string | undefined
  readonly connection: Connection
}): Promise<Reply> {
  const { url, body, authorization, connection } = call
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  }
  const posted = await postBody(url, Buffer.from(body), headers, connection)
  if (posted.kind === 'unreachable') return posted
  const { status, text } = posted
  const parsed = envelopeSchema.safeParse(parseJson(text))
  return parsed.success
    ? { kind: 'answered', status, envelope: parsed.data }
    : { kind: 'unreachable', reason: `something else answers there (HTTP ${status})` }
}
