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
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly envelope: Envelope
      readonly cookies: readonly string[]
    }
  | { readonly kind: 'unreachable'; readonly reason: string }

export type SentCall = {
  readonly url: URL
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly connection: Connection
}

export async function sendCall({ url, body, connection, ...call }: SentCall): Promise<Reply> {
  const headers = { 'content-type': 'application/json', ...call.headers }
  const posted = await postBody(url, Buffer.from(body), headers, connection)
  if (posted.kind === 'unreachable') return posted
  const { status, text, cookies } = posted
  const parsed = envelopeSchema.safeParse(parseJson(text))
  return parsed.success
    ? { kind: 'answered', status, envelope: parsed.data, cookies }
    : { kind: 'unreachable', reason: `something else answers there (HTTP ${status})` }
}
